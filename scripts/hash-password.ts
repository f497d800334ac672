/** `npm run hash-password`: asks for the admin's password and prints the line for ADMIN_PASSWORD_HASH. */
import { hashPassword } from '#server/panel/admin/password.ts';
import { readPassword } from '#ops/process/password.ts';
import { printFailure } from '#ops/process/report.ts';

try {
  console.log(`ADMIN_PASSWORD_HASH='${await hashPassword(await readPassword())}'`);
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}
