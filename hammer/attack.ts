import type { Attackers, Target } from './attackers.ts';

/** One attack: goes on until aborted and says what became of it. */
export interface Attack<S extends Target = Target> {
  name: string;
  /** What this machine lacks for it, in words; null when it can run. */
  lacks?(target: S): string | null;
  /** What takes time and is no part of the attack. */
  prepare?(attackers: Attackers<S>): Promise<void>;
  run(attackers: Attackers<S>, signal: AbortSignal): Promise<string>;
}

/** The n-th of the wallets that are signed in, by turns. */
export const userOf = ({ users }: Attackers, n: number) => {
  const user = users[n % users.length];
  if (!user) throw new Error('no attacker is signed in');
  return user;
};
export const cookieOf = (attackers: Attackers, n: number) => ({ cookie: userOf(attackers, n).cookie });
export const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
