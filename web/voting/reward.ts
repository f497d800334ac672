import { createStore } from '../lib/external-store.ts';

interface Reward {
  id: number;
  tokens: number;
  streak: number | null;
}
export const reward = createStore<Reward | null>(null);
export const congratulation = createStore<number | null>(null);

export const streakText = (days: number): string => `${days}-day streak`;
