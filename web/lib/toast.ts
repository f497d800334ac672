import type { ReactNode } from 'react';
import { TOAST_LIMIT, TOAST_REMOVE_DELAY_MS } from '#shared/constants.ts';
import { createStore } from './external-store.ts';

export type ToastVariant = 'default' | 'success' | 'destructive';

export interface ToastOptions {
  title: string;
  description?: ReactNode;
  variant?: ToastVariant;
}

export interface ToastEntry extends ToastOptions {
  id: number;
  open: boolean;
}

export const toasts = createStore<readonly ToastEntry[]>([]);
let lastId = 0;

/**
 * Shows a toast, from anywhere; the newest one replaces the one before (S9.14). Returns its id for `dismissToast`.
 * The part that draws it is loaded with the first toast.
 */
export function toast(options: ToastOptions): number {
  lastId += 1;
  toasts.set([{ ...options, id: lastId, open: true }, ...toasts.get()].slice(0, TOAST_LIMIT));
  return lastId;
}

/** Closes a toast; it leaves the list only later, so that its way out can be drawn (S9.14). */
export function dismissToast(id: number): void {
  const closed = (entry: ToastEntry): ToastEntry => (entry.id === id ? { ...entry, open: false } : entry);
  toasts.set(toasts.get().map(closed));
  setTimeout(() => toasts.set(toasts.get().filter((entry) => entry.id !== id)), TOAST_REMOVE_DELAY_MS);
}
