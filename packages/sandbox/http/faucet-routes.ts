import type { IncomingMessage, ServerResponse } from 'node:http';
import { isValidSuiAddress, normalizeSuiAddress } from '@mysten/sui/utils';
import { z } from 'zod';
import type { Chain } from '../ledger/chain.ts';
import { SNAPS_TYPE } from '../ledger/constants.ts';
import { messageOf } from '../ledger/errors.ts';
import type { Faucet } from '../ledger/faucet.ts';
import { adminAccount, CURRENCIES } from '../ledger/genesis.ts';
import { applyControl, type Controls, parseJson } from './control.ts';
import { pathOf, readBody, sendJson } from './http.ts';

interface FaucetContext {
  readonly chain: Chain;
  readonly faucet: Faucet;
  readonly controls: Controls;
  readonly accounts: readonly object[];
}

/** The faucet of a local network (`/v2/gas`), and routes that only the sandbox has: demo accounts and controls. */
export async function handleFaucet(request: IncomingMessage, response: ServerResponse, context: FaucetContext) {
  switch (`${request.method} ${pathOf(request)}`) {
    case 'POST /v2/gas':
      return handleGas(request, response, context);
    case 'GET /':
    case 'GET /health':
      return sendJson(response, 200, healthOf(context.chain));
    case 'GET /demo-accounts':
      return sendJson(response, 200, { accounts: [adminAccount(), ...context.accounts], demoCoin: demoCoin() });
    case 'POST /control':
      return applyControl(request, response, context.chain, context.controls);
    default:
      return sendJson(response, 404, { error: 'not_found', message: 'no such route on the sandbox faucet' });
  }
}

export function healthOf(chain: Chain) {
  return {
    ok: true,
    chainId: chain.chainId,
    epoch: chain.moment().epoch.toString(),
    checkpoint: chain.checkpoint.toString(),
  };
}

function demoCoin() {
  const snaps = CURRENCIES.find(({ coinType }) => coinType === SNAPS_TYPE);
  return { coinType: SNAPS_TYPE, symbol: snaps?.symbol, decimals: snaps?.decimals };
}

const GasRequest = z.object({
  FixedAmountRequest: z.object({
    recipient: z
      .string()
      .min(1)
      .transform((address) => normalizeSuiAddress(address))
      .refine(isValidSuiAddress),
  }),
});

async function handleGas(request: IncomingMessage, response: ServerResponse, { faucet }: FaucetContext) {
  const wanted = GasRequest.safeParse(parseJson(await readBody(request)));
  if (!wanted.success) return sendFailure(response, 400, 'Input Error.');
  try {
    const { coin, record } = await faucet.request(wanted.data.FixedAmountRequest.recipient);
    const sent = { amount: Number(coin.value), id: coin.id, transferTxDigest: record.execution.transaction.digest };
    return sendJson(response, 200, { status: 'Success', coins_sent: [sent] });
  } catch (error) {
    return sendFailure(response, 500, messageOf(error));
  }
}

const sendFailure = (response: ServerResponse, status: number, internal: string): void =>
  sendJson(response, status, { status: { Failure: { internal } }, coins_sent: null });
