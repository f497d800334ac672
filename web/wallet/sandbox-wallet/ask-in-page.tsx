import { createRoot } from 'react-dom/client';
import { ApprovalDialog } from './approval-dialog.tsx';
import type { Approval, Ask } from './approvals.ts';

/** Shows a request in the top layer and in its own root, so that dialogs of the page do not take a click in it for one beside them. */
export const askInPage: Ask = (request) =>
  new Promise<Approval | null>((resolve) => {
    const host = document.createElement('div');
    document.body.append(host);
    const root = createRoot(host);
    let answered = false;
    const answer = (approval: Approval | null) => {
      if (answered) return;
      answered = true;
      root.unmount();
      host.remove();
      resolve(approval);
    };
    root.render(<ApprovalDialog request={request} onDecision={answer} />);
  });
