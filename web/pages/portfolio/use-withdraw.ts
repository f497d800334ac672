import { useRef, useState } from 'react';
import { type ValidationError, NOT_WHOLE, validateWithdrawal } from '#shared/rules.ts';
import { ApiError, errorText } from '../../lib/api-error.ts';
import { api } from '../../lib/api.ts';
import { queries, queryClient } from '../../lib/queries.ts';
import { session } from '../../lib/session.ts';
import { toast } from '../../lib/toast.ts';

/** A random id. `crypto.randomUUID` does not exist on a page by http, `getRandomValues` does. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A decimal digit of any script as one of ASCII. Unicode has them in runs of ten from zero on. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((code - first) % 10);
}

/** Separators of thousands that separate no decimals in any language; the page itself writes some of them. */
const GROUPED = /(?<=\d)['\u2019\u00a0\u2009\u202f\u066c](?=\d{3}(?!\d))/g;

/** Removes the signs that people write around a number: '+60', '60 Snaps', '60.', '60,–'. */
const digitsOf = (text: string): string =>
  text
    .trim()
    .replaceAll(/\p{Nd}/gu, asciiDigit)
    .replace(/^[+\uff0b]\s*/, '')
    .replace(/\s*(?:snaps?|tokens?)$/i, '')
    .replaceAll(GROUPED, '')
    .replace(/(?<=\d)[.,][-\u2013\u2014]?$/, '');

/**
 * The typed number of tokens, or why it is rejected (S5.5, R14). '50.5' and '1e3' are amounts, but not of whole tokens;
 * '1,000' and '1.000' are another number in another language.
 */
export function readAmount(text: string, balance: number): number | ValidationError {
  const digits = digitsOf(text);
  const amount = /^\d+(\.0{1,2})?$/.test(digits) ? Number(digits) : Number.NaN;
  const isNegative = /^[-\u2212]/.test(digits);
  if (Number.isNaN(amount) && !isNegative && /\d/.test(digits)) return NOT_WHOLE;
  return validateWithdrawal(amount, balance) ?? amount;
}

/** A 4xx ends the request; after anything else it may have arrived, and the next attempt must be the same one. */
const isClientError = (error: unknown) => error instanceof ApiError && error.status >= 400 && error.status < 500;

async function refresh(userId: number): Promise<void> {
  const keys = [
    queries.withdrawals(userId).queryKey,
    queries.withdrawalTerms(userId).queryKey,
    queries.stats(userId).queryKey,
    queries.activity(userId).queryKey,
  ];
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

export function useWithdraw(balance: number) {
  const [isBusy, setBusy] = useState(false);
  /** A retry of the same amount is the same request, also when the response to the first one was lost (R14). */
  const attempt = useRef<{ amount: number; key: string } | null>(null);

  async function send(amount: number): Promise<string | null> {
    const { user } = session.get();
    if (!user) return 'Please connect your wallet first';
    if (attempt.current?.amount !== amount) attempt.current = { amount, key: randomId() };
    const body = { userId: user.id, walletAddress: user.walletAddress, tokenAmount: amount };
    const headers = { 'idempotency-key': attempt.current.key };
    try {
      const { userStats } = await api.requestWithdrawal({ body, headers });
      attempt.current = null;
      session.updateStats(user.id, userStats);
      queryClient.setWritten(queries.stats(user.id).queryKey, userStats);
      toast({
        title: 'Withdrawal requested!',
        description: 'Your tokens will be sent to your wallet shortly. The admin will process your withdrawal.',
        variant: 'success',
      });
      return null;
    } catch (error) {
      if (isClientError(error)) attempt.current = null;
      const description = errorText(error, 'Failed to request withdrawal');
      toast({ title: 'Withdrawal failed', description, variant: 'destructive' });
      return description;
    } finally {
      void refresh(user.id);
    }
  }

  async function request(text: string): Promise<string | null> {
    const amount = readAmount(text, balance);
    if (typeof amount !== 'number') {
      toast({ title: amount.title, description: amount.message, variant: 'destructive' });
      return amount.message;
    }
    setBusy(true);
    try {
      return await send(amount);
    } finally {
      setBusy(false);
    }
  }
  return { request, isBusy };
}
