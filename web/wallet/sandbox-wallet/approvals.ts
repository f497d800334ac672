import type { TransactionSummary } from './chain-access.ts';
import type { SandboxAccount } from './keyring.ts';

export type ApprovalRequest = { balances: (address: string) => Promise<string> } & (
  | {
      kind: 'connect';
      accounts: SandboxAccount[];
      chosen: string;
      admin: SandboxAccount | null;
      addAccount: () => SandboxAccount;
    }
  | { kind: 'message'; account: SandboxAccount; text: string }
  | { kind: 'transaction'; account: SandboxAccount; summary: TransactionSummary; sends: boolean }
);

export interface Approval {
  address: string;
}

export type Ask = (request: ApprovalRequest) => Promise<Approval | null>;

export function inOrder(ask: Ask): Ask {
  let last: Promise<unknown> = Promise.resolve();
  return (request) => {
    const answer = last.then(() => ask(request));
    last = answer.catch(() => undefined);
    return answer;
  };
}
