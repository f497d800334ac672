import { createRoot } from 'react-dom/client';
import { ApprovalDialog } from './approval-dialog.tsx';
import type { Approval, Ask } from './approvals.ts';

/**
 * Shows a request in a dialog of its own root, as an extension would: it is in the browser's top layer above the rest of the page, and the
 * page's own dialogs do not take a click in it for a click beside them.
 */
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
