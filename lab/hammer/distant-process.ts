/** The process behind distant.ts: runs attacks, one order at a time, and ends with its parent. */
import { writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { openDatabase } from '#db/client.ts';
import { lowerPriority } from '#server/kit/low-priority.ts';
import { type Attackers, createAttackers } from './attackers.ts';
import type { Attack } from './attack.ts';
import { ATTACKS } from './attacks.ts';

export type Order = { prepare: string } | { run: string; address: string } | { end: true };
export type Done = { detail: string } | { failure: string };

interface About {
  urls: [string, string];
  databaseUrl: string;
  rpcUrl: string;
  faucetUrl: string;
}

function beDistant(): void {
  lowerPriority(constants.priority.PRIORITY_LOW);
  try {
    // Where Linux weighs sessions before processes, the session is what counts.
    writeFileSync('/proc/self/autogroup', String(constants.priority.PRIORITY_LOW));
  } catch {
    // It does not weigh sessions.
  }
}

function attackNamed(name: string): Attack {
  const attack = ATTACKS.find((one) => one.name === name);
  if (!attack) throw new Error(`there is no attack "${name}"`);
  return attack;
}

async function perform(order: Order, attackers: Attackers, signal: AbortSignal): Promise<string> {
  if ('prepare' in order) {
    await attackNamed(order.prepare).prepare?.(attackers);
    return '';
  }
  if ('end' in order) return '';
  attackers.address = order.address;
  return attackNamed(order.run).run(attackers, signal);
}

beDistant();
process.on('disconnect', () => process.exit(0));
const { urls, databaseUrl, rpcUrl, faucetUrl } = JSON.parse(process.argv[2] ?? '') as About;
const client = openDatabase(databaseUrl, { maxConnections: 2, onError: () => undefined });
const attackers = await createAttackers({
  servers: [{ url: urls[0] }, { url: urls[1] }],
  client,
  rpcUrl,
  faucetUrl,
});
let running = new AbortController();
process.on('message', (order: Order) => {
  if ('end' in order) return running.abort();
  running = new AbortController();
  perform(order, attackers, running.signal).then(
    (detail) => process.send?.({ detail } satisfies Done),
    (error: Error) => process.send?.({ failure: error.message } satisfies Done),
  );
});
process.send?.({ detail: 'ready' } satisfies Done);
