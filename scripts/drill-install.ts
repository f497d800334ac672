/**
 * `npm run drill:install`: runs the commands of docs/operate/operations.md from a fresh Debian 12 to a served site, on
 * a real systemd in a container on this machine's network. Needs root, Linux, Debian's mmdebstrap and systemd-container
 * (installed if needed), its packages and npm's, and free ports 80, 443, 3000, 5432 and 9000. Takes about five minutes.
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
