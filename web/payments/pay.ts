import { parseMist } from '#shared/money/money.ts';
import { ApiError } from '../lib/api-error.ts';
import { api } from '../lib/api.ts';
import { needed } from '../lib/chunks.ts';
import type { WalletModule } from '../lib/wallet-state.ts';
import { journal, type OpenOrder, type Proof } from './journal.ts';
import { type Order, OrderError, type OrderOutcome, placeOrder, prepareOrder, type Stage } from './order.ts';

type PayingWallet = Pick<WalletModule, 'signTransaction' | 'signAndExecute' | 'isUnsupported' | 'isUnknownOutcome'>;

export interface PayDeps {
  loadWallet: () => Promise<PayingWallet>;
  onPlacing: () => void;
}

export interface Payer {
  userId: number;
  walletAddress: string;
}

/** A payment or a body that the server does not know: nothing can have been executed for it. */
const NO_SUCH_PAYMENT = new Set(['payment_not_found', 'invalid_input']);

const codeOf = (error: unknown): string | null => (error instanceof ApiError ? error.code : null);

/** Whether the server has declared that nothing was and will be executed. 401, 403, 409, 429, 5xx and a lost response leave it open. */
function isNothingPaid(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { body } = error;
  const isMarked = typeof body === 'object' && body !== null && 'nothingPaid' in body && body.nothingPaid === true;
  return isMarked || NO_SUCH_PAYMENT.has(error.code);
}
const needsReview = (error: unknown): boolean => codeOf(error) === 'payment_unclaimed';

/** From the signature on no path asks to pay again: what is not known stays in the journal (R16). @throws OrderError: nothing was paid */
export async function payForOrder(order: Order, payer: Payer, deps: PayDeps): Promise<OrderOutcome> {
  const prepared = await stage('prepare', () => prepareOrder(order));
  const { paymentId, recipient, amountMist } = prepared;
  const terms = { sender: payer.walletAddress, recipient, amountMist: parseMist(amountMist) };
  const entry: OpenOrder = {
    userId: payer.userId,
    paymentId,
    purpose: order.purpose,
    projectId: order.purpose === 'submit' ? null : order.projectId,
    name: order.purpose === 'submit' ? order.draft.name : null,
    amountMist,
    phase: 'unknown',
    proof: null,
  };
  const proof = await stage('pay', async () => proofOf(await deps.loadWallet(), terms, entry));
  if (proof === null) return { state: 'open', phase: 'unknown', paymentId };
  const signed: OpenOrder = { ...entry, phase: 'unsent', proof };
  journal.put(signed);
  const delivered = await stage('pay', () => deliver(signed));
  if (delivered.phase !== 'received') return { state: 'open', phase: delivered.phase, paymentId };
  deps.onPlacing();
  return place(order, payer, paymentId, delivered.digest);
}

/** The money is on chain: whatever happens to the call now, the order is open until the server says that it is done. */
async function place(order: Order, payer: Payer, paymentId: string, digest: string): Promise<OrderOutcome> {
  try {
    const placed = await placeOrder(order, payer.walletAddress, digest);
    if (placed.state !== 'done') return { state: 'open', phase: 'received', paymentId };
    journal.remove(paymentId);
    return placed;
  } catch (error) {
    if (!needsReview(error)) return { state: 'open', phase: 'received', paymentId };
    journal.remove(paymentId);
    return { state: 'open', phase: 'review', paymentId };
  }
}

export async function placeForFree(
  order: Order,
  payer: Payer,
  deps: Pick<PayDeps, 'onPlacing'>,
): Promise<OrderOutcome> {
  deps.onPlacing();
  const placed = await stage('place', () => placeOrder(order, payer.walletAddress));
  if (placed.state === 'done') return placed;
  throw new OrderError('place', new Error('A free order has no payment to wait for'));
}

async function stage<T>(name: Stage, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new OrderError(name, error);
  }
}

/** A signature, or the digest of what a wallet sent (R17). Null when it reports nothing: the entry stays 'unknown'. */
async function proofOf(
  wallet: PayingWallet,
  terms: { sender: string; recipient: string; amountMist: bigint },
  entry: OpenOrder,
): Promise<Proof | null> {
  const { buildPayment } = await needed(import('#chain/payment.ts'));
  try {
    const { bytes, signature } = await wallet.signTransaction(buildPayment(terms));
    return { bytes, signature };
  } catch (error) {
    if (!wallet.isUnsupported(error, 'signTransaction')) throw error;
    try {
      const { digest } = await wallet.signAndExecute(buildPayment(terms), () => journal.put(entry));
      return { transactionHash: digest };
    } catch (second) {
      if (wallet.isUnknownOutcome(second)) return null;
      journal.remove(entry.paymentId);
      // A wallet that can do neither is named for what was asked of it first (S8.4).
      throw wallet.isUnsupported(second) ? error : second;
    }
  }
}

type Delivered = { phase: 'received'; digest: string } | { phase: 'unsent' | 'looking' | 'review' };

/** Hands a signed payment to the server. Kept until the server has it: without a response it may have been executed. */
async function deliver(entry: OpenOrder): Promise<Delivered> {
  const { paymentId, proof } = entry;
  if (proof === null) return { phase: 'unsent' };
  try {
    const response = await api.executePayment({ params: { id: paymentId }, body: proof });
    const phase = 'status' in response ? response.phase : 'received';
    journal.put({ ...entry, phase, proof: null });
    return phase === 'received' ? { phase, digest: response.transactionHash } : { phase };
  } catch (error) {
    if (needsReview(error)) {
      journal.remove(paymentId);
      return { phase: 'review' };
    }
    if (!isNothingPaid(error)) return { phase: 'unsent' };
    journal.remove(paymentId);
    throw error;
  }
}

export interface Resumed {
  changed: boolean;
  rejected: Array<{ entry: OpenOrder; error: unknown }>;
}

let resuming: Promise<Resumed> | null = null;

export function resumePayments(userId: number): Promise<Resumed> {
  resuming ??= resumeAll(userId).finally(() => {
    resuming = null;
  });
  return resuming;
}

async function resumeAll(userId: number): Promise<Resumed> {
  const resumed: Resumed = { changed: false, rejected: [] };
  for (const entry of journal.of(userId).filter(({ proof }) => proof !== null)) {
    try {
      const { phase } = await deliver(entry);
      if (phase !== 'unsent') resumed.changed = true;
    } catch (error) {
      resumed.changed = true;
      resumed.rejected.push({ entry, error });
    }
  }
  return resumed;
}

/** From then on the server executes nothing for it: a pending signature is worthless. @throws ApiError when the server does not confirm */
export async function cancelPayment(paymentId: string): Promise<void> {
  try {
    await api.cancelPayment({ params: { id: paymentId } });
  } catch (error) {
    if (codeOf(error) !== 'payment_not_found') throw error;
  }
  journal.remove(paymentId);
}

export async function recordTransaction(paymentId: string, transactionHash: string): Promise<'looking' | 'received'> {
  const response = await api.executePayment({ params: { id: paymentId }, body: { transactionHash } });
  const phase = 'status' in response ? response.phase : 'received';
  const entry = journal.get().find((kept) => kept.paymentId === paymentId);
  if (entry) journal.put({ ...entry, phase, proof: null });
  return phase;
}
