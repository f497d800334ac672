import {
  CATEGORIES,
  GREEN_FROM_PERCENT,
  MIN_WITHDRAWAL_TOKENS,
  REASON_MAX_CHARS,
  REVIEW_MAX_CHARS,
  SENTENCE_MAX_CHARS,
  UPDATE_CATEGORIES,
  YELLOW_FROM_PERCENT,
} from './constants.ts';
import { countChars } from './text/text.ts';

/** Business rules as pure functions; browser and server use the same ones. */

/**
 * Share of bullish votes in whole percent, 0 without votes. Every share of votes is rounded here, to the nearest
 * percent; but a minority never reads 50%, because colors and the cost to change are based on 'half'.
 */
export function bullishPercentage(bullish: number, bearish: number): number {
  const total = bullish + bearish;
  if (total === 0) return 0;
  const nearest = Math.round((bullish * 100) / total);
  return bullish < bearish ? Math.min(nearest, 49) : nearest;
}

export type Tone = 'green' | 'yellow' | 'red';
export function percentTone(percent: number): Tone {
  if (percent >= GREEN_FROM_PERCENT) return 'green';
  return percent >= YELLOW_FROM_PERCENT ? 'yellow' : 'red';
}

/** 'Nd Nh remaining' or 'Expired Nd Nh ago', by the server's clock (S4.6, R28). */
export function timeLeft(expiresAtMs: number, nowMs: number): string {
  const hours = Math.floor(Math.abs(expiresAtMs - nowMs) / 3_600_000);
  const text = `${Math.floor(hours / 24)}d ${hours % 24}h`;
  return expiresAtMs > nowMs ? `${text} remaining` : `Expired ${text} ago`;
}

export interface ValidationError {
  title: string;
  message: string;
}

/** Reason for refusing an amount that is not written in digits alone (R13, R14). */
export const NOT_WHOLE: ValidationError = { title: 'Invalid amount', message: 'Enter whole Snaps, in digits only' };

/** Reason for refusing a withdrawal of `amount` tokens, or null (S5.5, R14). */
export function validateWithdrawal(amount: number, balance: number): ValidationError | null {
  // Not `amount < …`: NaN must be refused, too.
  if (!(amount >= MIN_WITHDRAWAL_TOKENS)) {
    return { title: 'Invalid amount', message: `Minimum withdrawal is ${MIN_WITHDRAWAL_TOKENS} tokens` };
  }
  if (!Number.isInteger(amount)) return NOT_WHOLE;
  if (amount > balance) return { title: 'Insufficient balance', message: `You only have ${balance} tokens` };
  return null;
}

/** Reason for refusing the text of a review or of a reply, or null (S5.6, R51). */
export function validateReview(content: string, what: 'Review' | 'Reply' = 'Review'): ValidationError | null {
  if (content.trim() === '')
    return { title: `${what} cannot be empty`, message: 'Please write something before submitting' };
  if (countChars(content) > REVIEW_MAX_CHARS) {
    return { title: `${what} too long`, message: `Maximum ${REVIEW_MAX_CHARS} characters allowed` };
  }
  return null;
}

/** More marks on a letter than these draw over its neighbors (R89). */
const HEAP_OF_MARKS = /[\p{Mn}\p{Me}]{4}/u;

/** `text` is the output of cleanLine. The server also rejects what leads away, by lists that are too long for a page. */
export function validateSentence(text: string): ValidationError | null {
  if (text === '') return { title: 'Sentence cannot be empty', message: 'Please write something before submitting' };
  if (countChars(text) > SENTENCE_MAX_CHARS)
    return { title: 'Sentence too long', message: `Maximum ${SENTENCE_MAX_CHARS} characters allowed` };
  if (HEAP_OF_MARKS.test(text.normalize('NFD')))
    return { title: 'Too many marks', message: 'A letter can carry three marks at most' };
  return null;
}

/** Reason for refusing the reason of a decision, or null. `text` is the output of cleanLine. */
export function validateReason(text: string): string | null {
  if (text === '') return 'Please give a reason';
  return countChars(text) > REASON_MAX_CHARS ? `Maximum ${REASON_MAX_CHARS} characters allowed` : null;
}

export function updateCategories(present: string): string[] {
  const offered: readonly string[] = UPDATE_CATEGORIES;
  return offered.includes(present) ? [...offered] : [...offered, present];
}

export const isCategory = (text: string): boolean => (CATEGORIES as readonly string[]).includes(text);
