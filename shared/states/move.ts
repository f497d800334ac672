/** One thing that can happen to a row that has a state: where it may come from, where it leads, and what decides it. */
export interface Move<State extends string> {
  from: readonly State[];
  to: State;
  /** 'chain': what the transaction did there. 'server': a job or request, by rules alone. */
  by: 'payer' | 'admin' | 'chain' | 'server';
}

export const isAllowed = <State extends string>({ from }: Move<State>, state: State): boolean => from.includes(state);
