export interface Move<State extends string> {
  from: readonly State[];
  to: State;
  /** 'chain': the result of the transaction. 'server': a job or request, by rules alone. */
  by: 'payer' | 'admin' | 'chain' | 'server';
}

export const isAllowed = <State extends string>({ from }: Move<State>, state: State): boolean => from.includes(state);
