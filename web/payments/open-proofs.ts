import { PRODUCT } from '#shared/constants.ts';
import { readStored, writeStored } from '../storage.ts';

/** A signed payment that the server has perhaps not heard of: kept until it has, so that a closed tab loses nothing. */
export interface OpenProof {
  userId: number;
  paymentId: string;
  proof: { bytes: string; signature: string } | { transactionHash: string };
}

const KEY = `${PRODUCT}_open_payments`;

export function openProofs(userId: number): OpenProof[] {
  return readAll().filter((entry) => entry.userId === userId);
}

export function keepProof(entry: OpenProof): void {
  writeAll([...readAll().filter(({ paymentId }) => paymentId !== entry.paymentId), entry]);
}

export function forgetProof(paymentId: string): void {
  writeAll(readAll().filter((entry) => entry.paymentId !== paymentId));
}

function readAll(): OpenProof[] {
  try {
    const list: unknown = JSON.parse(readStored(KEY) ?? '[]');
    return Array.isArray(list) ? (list as OpenProof[]).filter((entry) => typeof entry?.paymentId === 'string') : [];
  } catch {
    return [];
  }
}

function writeAll(entries: OpenProof[]): void {
  writeStored(KEY, entries.length === 0 ? null : JSON.stringify(entries));
}
