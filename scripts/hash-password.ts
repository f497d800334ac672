/** `npm run hash-password`: asks for the admin's password and prints the line for ADMIN_PASSWORD_HASH. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { hashPassword } from '#server/admin/password.ts';

const MIN_CHARS = 12;

/** One line from the terminal, not shown while it is typed; or from a pipe. */
async function readPassword(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Password of the admin: ');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: process.stdin.isTTY });
  for await (const line of lines) {
    lines.close();
    if (process.stdin.isTTY) process.stderr.write('\n');
    return line;
  }
  return '';
}

const password = await readPassword();
if (password.length < MIN_CHARS) {
  console.error(`✗ Use at least ${MIN_CHARS} characters.`);
  process.exitCode = 1;
} else {
  console.log(`ADMIN_PASSWORD_HASH='${await hashPassword(password)}'`);
}
