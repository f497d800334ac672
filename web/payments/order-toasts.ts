import { LISTING_DAYS, RENEW_FEE_MIST, SUBMIT_FEE_MIST, UPDATE_FEE_MIST } from '#shared/constants.ts';
import { formatSui } from '#shared/money/money.ts';
import { ApiError, errorText } from '../lib/api-error.ts';
import { toast, type ToastOptions } from '../lib/toast.ts';
import { ORDER_FACTS, type OrderPhase, type OrderView } from './open-phases.ts';
import type { Purpose } from './journal.ts';
import { OrderError, type OrderOutcome } from './order.ts';

export const FEE_SUI: Record<Purpose, string> = {
  submit: formatSui(SUBMIT_FEE_MIST),
  update: formatSui(UPDATE_FEE_MIST),
  renew: formatSui(RENEW_FEE_MIST),
};

export const PURPOSE_TITLES: Record<Purpose, string> = {
  submit: 'New listing',
  update: 'Update',
  renew: 'Renewal',
};

const PAYMENT_FAILED: Record<Purpose, string> = {
  submit: 'Failed to process SUI payment. Please try again.',
  update: `Failed to process ${FEE_SUI.update} SUI payment`,
  renew: `Failed to process ${FEE_SUI.renew} SUI payment`,
};
const PLACE_FAILED: Record<Purpose, { title: string; text: string }> = {
  submit: { title: 'Error', text: 'Failed to submit project. Please try again.' },
  update: { title: 'Update failed', text: 'Failed to update project' },
  renew: { title: 'Renewal failed', text: 'Failed to renew project' },
};

export function failureToast(purpose: Purpose, error: unknown): ToastOptions {
  const stage = error instanceof OrderError ? error.stage : 'pay';
  const cause = error instanceof OrderError ? error.cause : error;
  const variant = 'destructive';
  if (stage === 'prepare')
    return { title: 'Payment Error', description: errorText(cause, 'Failed to create payment transaction'), variant };
  if (stage === 'pay')
    return { title: 'Payment Failed', description: walletText(cause, PAYMENT_FAILED[purpose]), variant };
  const { title, text } = PLACE_FAILED[purpose];
  return { title, description: cause instanceof ApiError ? errorText(cause, text) : text, variant };
}

const SHORT_CHARS = 200;
/** A wallet's or node's own message, unless it is an unreadable dump. */
function walletText(error: unknown, fallback: string): string {
  const text = errorText(error, fallback).trim();
  if (/insufficient|No valid gas coins|InsufficientCoinBalance|balance/i.test(text) && !(error instanceof ApiError))
    return 'Your wallet does not hold enough SUI for the fee and the gas.';
  return text !== '' && text.length <= SHORT_CHARS ? text : fallback;
}

const DONE: Record<Purpose, { title: string; paid: string; free: string }> = {
  submit: {
    title: 'Project submitted successfully!',
    paid: `Your project is live for ${LISTING_DAYS} days. ${FEE_SUI.submit} SUI has been paid.`,
    free: `Your project is live for ${LISTING_DAYS} days. Free for the admin.`,
  },
  update: {
    title: 'Project updated!',
    paid: `Your changes are live. ${FEE_SUI.update} SUI has been paid.`,
    free: 'Your changes are live. Free for the admin.',
  },
  renew: {
    title: 'Project renewed!',
    paid: `The listing was extended by ${LISTING_DAYS} days. ${FEE_SUI.renew} SUI has been paid.`,
    free: `The listing was extended by ${LISTING_DAYS} days. Free for the admin.`,
  },
};

export function outcomeToast(purpose: Purpose, outcome: OrderOutcome, isFree: boolean): ToastOptions {
  return outcome.state === 'open' ? phaseToast(outcome.phase) : doneToast(purpose, isFree);
}

export function doneToast(purpose: Purpose, isFree = false): ToastOptions {
  const { title, paid, free } = DONE[purpose];
  return { title, description: isFree ? free : paid, variant: 'success' };
}

export function phaseToast(phase: OrderPhase): ToastOptions {
  const { title, text } = ORDER_FACTS[phase];
  return { title, description: text };
}

export function finishedToast({ purpose, phase, note }: OrderView): ToastOptions | null {
  if (phase === 'done') return purpose === null ? phaseToast(phase) : doneToast(purpose);
  if (phase === 'not_paid') {
    return {
      title: 'Payment Failed',
      description: note ?? `${ORDER_FACTS.not_paid.title}. ${ORDER_FACTS.not_paid.text}`,
      variant: 'destructive',
    };
  }
  return phaseToast(phase);
}

export const showFailure = (purpose: Purpose, error: unknown) => toast(failureToast(purpose, error));
