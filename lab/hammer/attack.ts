import type { Attackers, Target } from './attackers.ts';

/** One attack: runs until aborted and reports its result. */
export interface Attack<S extends Target = Target> {
  name: string;
  /** Missing requirement of this machine, in words; null when the attack can run. */
  lacks?(target: S): string | null;
  /** Preparation that takes time and is not part of the attack. */
  prepare?(attackers: Attackers<S>): Promise<void>;
  run(attackers: Attackers<S>, signal: AbortSignal): Promise<string>;
}

/** The n-th of the signed-in wallets, in turn. */
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
