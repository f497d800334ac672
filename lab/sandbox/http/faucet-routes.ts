import type { IncomingMessage, ServerResponse } from 'node:http';
import { isValidSuiAddress, normalizeSuiAddress } from '@mysten/sui/utils';
import type { Chain } from '../ledger/chain.ts';
import { SNAPS_TYPE } from '../ledger/constants.ts';
import { messageOf } from '../ledger/errors.ts';
import type { Faucet } from '../ledger/faucet.ts';
import { CURRENCIES, demoAccounts } from '../ledger/genesis.ts';
import type { Controls } from './control.ts';
import { applyControl } from './control.ts';
import { pathOf, readBody, sendJson } from './http.ts';

interface FaucetContext {
  readonly chain: Chain;
  readonly faucet: Faucet;
  readonly controls: Controls;
}

/**
 * The faucet of a local network (`/v2/gas`, `/gas`), and routes that only the sandbox has: demo accounts and controls.
 */
export async function handleFaucet(request: IncomingMessage, response: ServerResponse, context: FaucetContext) {
  switch (`${request.method} ${pathOf(request)}`) {
    case 'POST /v2/gas':
      return handleGas(request, response, context, 'v2');
    case 'POST /gas':
      return handleGas(request, response, context, 'v0');
    case 'GET /':
    case 'GET /health':
      return sendJson(response, 200, healthOf(context.chain));
    case 'GET /demo-accounts':
      return sendJson(response, 200, { accounts: demoAccounts(), demoCoin: demoCoin() });
    case 'POST /control':
      return applyControl(request, response, context.chain, context.controls);
    default:
      return sendJson(response, 404, { error: 'not_found', message: 'no such route on the sandbox faucet' });
  }
}

/** Response of GET /health on both ports. */
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

async function handleGas(
  request: IncomingMessage,
  response: ServerResponse,
  { faucet }: FaucetContext,
  version: 'v0' | 'v2',
) {
  const recipient = recipientIn(await readBody(request));
  if (recipient === null) return sendFailure(response, 400, version, 'Input Error.');
  try {
    const { coin, record } = await faucet.request(recipient);
    const sent = { amount: Number(coin.value), id: coin.id, transferTxDigest: record.execution.transaction.digest };
    if (version === 'v2') return sendJson(response, 200, { status: 'Success', coins_sent: [sent] });
    return sendJson(response, 201, { transferredGasObjects: [sent], error: null });
  } catch (error) {
    return sendFailure(response, 500, version, messageOf(error));
  }
}

function sendFailure(response: ServerResponse, status: number, version: 'v0' | 'v2', message: string) {
  const body =
    version === 'v2'
      ? { status: { Failure: { internal: message } }, coins_sent: null }
      : { transferredGasObjects: [], error: message };
  return sendJson(response, status, body);
}

/** The address in `{FixedAmountRequest: {recipient}}`, or null when there is none. */
function recipientIn(body: Buffer): string | null {
  try {
    const parsed: { FixedAmountRequest?: { recipient?: unknown } } | null = JSON.parse(body.toString('utf8'));
    const recipient = parsed?.FixedAmountRequest?.recipient;
    if (typeof recipient !== 'string' || recipient === '') return null;
    const address = normalizeSuiAddress(recipient);
    return isValidSuiAddress(address) ? address : null;
  } catch {
    return null;
  }
}
