import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

const MIN_CHARS = 12;

async function readLine(): Promise<string> {
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

export async function readPassword(): Promise<string> {
  const password = await readLine();
  if (password.length < MIN_CHARS) throw new Error(`Use at least ${MIN_CHARS} characters.`);
  return password;
}
