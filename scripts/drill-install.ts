/**
 * `npm run drill:install`: runs the commands of docs/operate/operations.md from a fresh Debian 12 to a served site, in a
 * container with systemd on this machine's network. Needs root and free ports. Takes about five minutes.
 */
import { drillInstall } from '#lab/drill/install.ts';
import { readOptions } from '#ops/process/options.ts';
import { printFailure } from '#ops/process/report.ts';

readOptions('npm run drill:install', {});
try {
  await drillInstall();
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}
