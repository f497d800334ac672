import { createInterface } from 'node:readline/promises';

const PROPOSED = 'CC BY 4.0 https://creativecommons.org/licenses/by/4.0/';

/** Turns what was typed into the setting: nothing takes the proposal, 'none' reserves all rights. */
export function licenseOf(typed: string): string {
  const text = typed.trim();
  if (text === '') return PROPOSED;
  return /^none\.?$/i.test(text) ? '' : text;
}

/** Asks at a terminal. An installation without one reserves all rights. */
export async function askLicense(): Promise<string> {
  if (!process.stdin.isTTY) return '';
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const proposal = `Enter for ${PROPOSED}, 'none' to reserve all rights`;
    return licenseOf(await lines.question(`License of the published figures, a name and an address (${proposal}): `));
  } finally {
    lines.close();
  }
}
