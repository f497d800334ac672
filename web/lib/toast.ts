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

/** Replaces the present toast (S9.14). Returns the id for `dismissToast`. */
export function toast(options: ToastOptions): number {
  lastId += 1;
  toasts.set([{ ...options, id: lastId, open: true }, ...toasts.get()].slice(0, TOAST_LIMIT));
  return lastId;
}

export function dismissToast(id: number): void {
  const closed = (entry: ToastEntry): ToastEntry => (entry.id === id ? { ...entry, open: false } : entry);
  toasts.set(toasts.get().map(closed));
  setTimeout(() => toasts.set(toasts.get().filter((entry) => entry.id !== id)), TOAST_REMOVE_DELAY_MS);
}
