import { isolated } from '#shared/text/isolated.ts';
import { Name } from '../../components/values/name.tsx';
import { MessageSquareText } from 'lucide-react';
import { useState } from 'react';
import type { OwnProject } from '#shared/contract/projects.ts';
import { formatSui, parseMist } from '#shared/money/money.ts';
import { Digest } from '../../components/values/digest.tsx';
import { queries } from '../../lib/queries.ts';
import { Button } from '../../ui/button.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { AppealDialog } from './appeal-dialog.tsx';
import { OwnAppeal } from './own-appeal.tsx';

export function HiddenListing({ project }: { project: OwnProject }) {
  const { id, name, submittedBy, hiddenReason, canAppeal, appeal, refund } = project;
  const [isAppealing, setAppealing] = useState(false);
  return (
    <>
      <p className="rounded-lg bg-raised p-3 text-sm font-semibold text-text">Hidden by the admin: {hiddenReason}</p>
      {appeal ? <OwnAppeal appeal={appeal} waiting="Not answered yet. The answer is shown here." /> : null}
      {refund ? (
        <p className="text-sm">
          Your fee of {formatSui(parseMist(refund.amountMist))} SUI was sent back:{' '}
          <Digest digest={refund.transactionHash} />
        </p>
      ) : null}
      {canAppeal ? (
        <Button variant="secondary" className="justify-self-start" onClick={() => setAppealing(true)}>
          <MessageSquareText aria-hidden size={18} />
          Appeal
          <VisuallyHidden>
            {' '}
            against hiding <Name>{name}</Name>
          </VisuallyHidden>
        </Button>
      ) : null}
      {isAppealing ? (
        <AppealDialog
          description={`Tell us why ${isolated(name)} should be shown. You can appeal once. A person reads it and answers.`}
          projectId={id}
          queryKey={queries.walletProjects(submittedBy).queryKey}
          onClose={() => setAppealing(false)}
        />
      ) : null}
    </>
  );
}
