import type { IncomingMessage, ServerResponse } from 'node:http';
import { isValidSuiAddress, normalizeSuiAddress } from '@mysten/sui/utils';
import { z } from 'zod';
import type { Chain } from '../ledger/chain.ts';
import { readBody, sendJson } from './http.ts';

/** Settings that tests may change while the sandbox runs, besides those of the chain. */
export interface Controls {
  /** The gRPC port answers UNAVAILABLE. */
  down: boolean;
}

export const IndexDelay = z.int().min(0).max(600_000);
const Control = z.strictObject({
  indexDelayMs: IndexDelay.optional(),
  down: z.boolean().optional(),
  lowestCheckpoint: z.int().min(0).optional(),
  scanLimit: z.int().min(1).optional(),
  endEpoch: z.literal(true).optional(),
  denied: z.array(z.string().transform((address) => normalizeSuiAddress(address))).optional(),
  names: z
    .record(
      z.string().regex(/^[a-z0-9.-]+\.sui$/i),
      z
        .string()
        .transform((address) => normalizeSuiAddress(address))
        .refine(isValidSuiAddress),
    )
    .default({}),
});

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/** `POST /control`: applies all of it or, with 400, nothing. Responds with the new state. */
export async function applyControl(
  request: IncomingMessage,
  response: ServerResponse,
  chain: Chain,
  controls: Controls,
): Promise<void> {
  if (!isFromHere(request.headers.origin))
    return sendJson(response, 403, {
      error: 'forbidden',
      message: 'only pages of this machine may control the sandbox',
    });
  const wanted = Control.safeParse(parseJson(await readBody(request)));
  if (!wanted.success) return sendJson(response, 400, { error: 'invalid', message: z.prettifyError(wanted.error) });
  const { indexDelayMs, down, lowestCheckpoint, scanLimit, endEpoch, denied, names } = wanted.data;
  chain.indexDelayMs = indexDelayMs ?? chain.indexDelayMs;
  controls.down = down ?? controls.down;
  chain.lowestCheckpoint = BigInt(lowestCheckpoint ?? chain.lowestCheckpoint);
  chain.scanLimit = scanLimit ?? chain.scanLimit;
  if (endEpoch) chain.endEpoch();
  if (denied) chain.denied = new Set(denied);
  for (const [name, address] of Object.entries(names)) chain.setName(name, address);
  return sendJson(response, 200, {
    indexDelayMs: chain.indexDelayMs,
    down: controls.down,
    lowestCheckpoint: Number(chain.lowestCheckpoint),
    scanLimit: chain.scanLimit,
    epoch: Number(chain.moment().epoch),
  });
}

/** Programs send no Origin; a page on the internet that knows this port must not be able to break a demo. */
function isFromHere(origin: string | undefined): boolean {
  if (origin === undefined) return true;
  return URL.canParse(origin) && LOOPBACK_HOSTS.has(new URL(origin).hostname);
}

export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
