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

/** The typed number of tokens, or why it is rejected (S5.5, R14). '50.5', '1e3' and '1,000' are amounts, but not of whole tokens. */
export function readAmount(text: string, balance: number): number | ValidationError {
  // The page itself writes thousands like this in some languages.
  const trimmed = text.trim().replaceAll(/[\u00a0\u202f](?=\d{3}(?!\d))/g, '');
  const amount = /^\d+(\.0+)?$/.test(trimmed) ? Number(trimmed) : Number.NaN;
  if (Number.isNaN(amount) && /^\d[\d.,'\s]*(e\+?\d+)?$/i.test(trimmed)) return NOT_WHOLE;
  return validateWithdrawal(amount, balance) ?? amount;
}

/** A 4xx ends the request; after anything else it may have arrived, and the next attempt must be the same one. */
const isClientError = (error: unknown) => error instanceof ApiError && error.status >= 400 && error.status < 500;

async function refresh(userId: number): Promise<void> {
  const keys = [
    queries.withdrawals(userId).queryKey,
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
