import { parseMist } from '#shared/money.ts';
import { ApiError } from '../api-error.ts';
import { api } from '../api.ts';
import type { WalletModule } from '../wallet-state.ts';
import { forgetProof, keepProof, openProofs, type OpenProof } from './open-proofs.ts';
import { type Order, OrderError, type OrderOutcome, placeOrder, prepareOrder, type Stage } from './order.ts';

/** What paying needs of the world; the page passes the real ones. */
export interface PayDeps {
  loadWallet: () => Promise<Pick<WalletModule, 'signTransaction' | 'signAndExecute'>>;
  onPlacing: () => void;
}

export interface Payer {
  userId: number;
  walletAddress: string;
}

/** A refusal of the server settles a question; a lost connection or a crash of the server does not. */
const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status >= 400 && error.status < 500;

/**
 * Pays for an order and has it carried out (R16): store, sign, execute, place. From the signature on no path asks to pay
 * again: what is not known is 'pending', and the server finishes it.
 * @throws OrderError when nothing was paid, or when the server refuses what was paid for.
 */
export async function payForOrder(order: Order, payer: Payer, deps: PayDeps): Promise<OrderOutcome> {
  const prepared = await stage('prepare', () => prepareOrder(order));
  const terms = {
    sender: payer.walletAddress,
    recipient: prepared.recipient,
    amountMist: parseMist(prepared.amountMist),
  };
  const proof = await stage('pay', async () => proofOf(await deps.loadWallet(), terms));
  const entry = { userId: payer.userId, paymentId: prepared.paymentId, proof };
  keepProof(entry);
  const executed = await stage('pay', () => deliver(entry));
  if (executed.state === 'pending') return executed;
  deps.onPlacing();
  try {
    return await placeOrder(order, payer.walletAddress, executed.digest);
  } catch (error) {
    if (isRefusal(error)) throw new OrderError('place', error);
    return { state: 'pending' };
  }
}

/** The admin's variant of every order (R18). */
export function placeForFree(order: Order, payer: Payer, deps: Pick<PayDeps, 'onPlacing'>): Promise<OrderOutcome> {
  deps.onPlacing();
  return stage('place', () => placeOrder(order, payer.walletAddress));
}

async function stage<T>(name: Stage, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new OrderError(name, error);
  }
}

const cannotOnlySign = (error: unknown) =>
  error instanceof Error && error.message.includes("doesn't support the signTransaction feature");

/** A signature, or from a wallet that cannot sign without sending, the digest of what it sent (R17). */
async function proofOf(
  wallet: Pick<WalletModule, 'signTransaction' | 'signAndExecute'>,
  terms: { sender: string; recipient: string; amountMist: bigint },
): Promise<OpenProof['proof']> {
  const { buildPayment } = await import('#chain/payment.ts');
  try {
    const { bytes, signature } = await wallet.signTransaction(buildPayment(terms));
    return { bytes, signature };
  } catch (error) {
    if (!cannotOnlySign(error)) throw error;
    const { digest } = await wallet.signAndExecute(buildPayment(terms)).catch((second: unknown) => {
      // A wallet that can do neither is named for what was asked of it first (S8.4).
      throw second instanceof Error && second.message.includes("doesn't support the") ? error : second;
    });
    return { transactionHash: digest };
  }
}

type Delivered = { state: 'executed'; digest: string } | { state: 'pending' };

/** Hands a signed payment to the server. Kept until the server has spoken: without an answer it may have been executed. */
async function deliver({ paymentId, proof }: OpenProof): Promise<Delivered> {
  try {
    const answer = await api.executePayment({ params: { id: paymentId }, body: proof });
    forgetProof(paymentId);
    return 'status' in answer ? { state: 'pending' } : { state: 'executed', digest: answer.transactionHash };
  } catch (error) {
    if (!isRefusal(error) || isPassing(error)) return { state: 'pending' };
    forgetProof(paymentId);
    throw error;
  }
}

/** Refused for the moment only: signed out meanwhile, or too many requests. */
const isPassing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 401 || error.status === 429);

/** Delivers what an earlier visit signed and could not hand over; true when there was something. */
export async function resumePayments(userId: number): Promise<boolean> {
  const entries = openProofs(userId);
  for (const entry of entries) {
    await deliver(entry).catch((error: unknown) => console.warn('A signed payment was refused', error));
  }
  return entries.length > 0;
}
