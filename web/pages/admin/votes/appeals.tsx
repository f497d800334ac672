import { useMutation } from '@tanstack/react-query';
import { HandCoins, MessageSquareText, Reply } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { AdminAppeal } from '#shared/contract/standing.ts';
import { formatSui, parseMist } from '#shared/money.ts';
import { plural } from '#shared/plural.ts';
import { shortenAddress } from '#shared/text.ts';
import { EmptyState } from '../../../components/states/empty-state.tsx';
import { ErrorState } from '../../../components/states/error-state.tsx';
import { ShowMore, TotalCount } from '../../../components/states/show-more.tsx';
import { Digest } from '../../../components/values/digest.tsx';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import { VoterStateBadge } from '../../../components/values/voter-state.tsx';
import { api } from '../../../lib/api.ts';
import { paths } from '../../../lib/paths.ts';
import { queryClient } from '../../../lib/queries.ts';
import { toast } from '../../../lib/toast.ts';
import { useList } from '../../../lib/use-list.ts';
import { Button } from '../../../ui/button.tsx';
import { Card, CardTitle } from '../../../ui/card.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { adminLists, pollQueue } from '../admin-queries.ts';
import { adminRequest, showFailure } from '../admin-session.ts';
import { type Refund, RefundDialog } from '../payments/refund-dialog.tsx';
import { ReasonDialog } from '../reason-dialog.tsx';
import { CsvButton } from '../table/csv-button.tsx';

const STATES = [
  { value: 'open', label: 'Open' },
  { value: 'answered', label: 'Answered' },
] as const;
type AppealState = (typeof STATES)[number]['value'];

const COLUMNS = [
  'id',
  'userId',
  'username',
  'walletAddress',
  'standing',
  'votes',
  'noStanding',
  'rhythm',
  'moderator',
  'project',
  'text',
  'createdAt',
  'answer',
  'answeredAt',
];

const toRows = (appeal: AdminAppeal) => [{ ...appeal, project: appeal.project?.name ?? null }];

type AppealedProject = NonNullable<AdminAppeal['project']>;

/** The hidden listing that an appeal is about, and what became of its fee (R80). */
function Listing({ project }: { project: AppealedProject }) {
  const { name, hiddenReason, fee } = project;
  return (
    <p className="flex flex-wrap gap-x-3 gap-y-1 text-sm text-muted">
      <span>
        About{' '}
        <Link href={paths.project(project)} className="text-link underline underline-offset-4">
          {name}
        </Link>
        : {hiddenReason === null ? 'shown again' : `hidden, ${hiddenReason}`}
      </span>
      {fee?.refundedMist ? (
        <span>
          {formatSui(parseMist(fee.refundedMist))} SUI refunded{' '}
          {fee.refundTransactionHash ? <Digest digest={fee.refundTransactionHash} /> : null}
        </span>
      ) : null}
    </p>
  );
}

/** The fee of a hidden listing that can be sent back. */
function refundOf(project: AdminAppeal['project']): Refund | null {
  if (!project?.fee || project.hiddenReason === null || project.fee.refundedMist !== null) return null;
  const { paymentId, amountMist, paidBy } = project.fee;
  return { paymentId, amountMist: parseMist(amountMist), recipient: paidBy, isVerified: true };
}

/** Offers the refund of the fee. */
function RefundButton({ refund, name }: { refund: Refund; name: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" aria-label={`Refund the fee of ${name}`} onClick={() => setOpen(true)}>
        <HandCoins aria-hidden size={18} />
        Refund {formatSui(refund.amountMist)} SUI
      </Button>
      {isOpen ? <RefundDialog refund={refund} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function Facts({ appeal }: { appeal: AdminAppeal }) {
  const { userId, username, walletAddress, standing, votes, noStanding, rhythm, moderator, createdAt } = appeal;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
      <VoterStateBadge state={standing} />
      <span>user {userId}</span>
      {username ? <span className="font-semibold text-text">{username}</span> : null}
      <span className="font-mono" title={walletAddress}>
        {shortenAddress(walletAddress)}
      </span>
      <span>
        {plural(votes, 'vote')}; excluded: {noStanding.toLocaleString()} held too little SUI, {rhythm.toLocaleString()}{' '}
        look automated, {moderator.toLocaleString()} by a moderator
      </span>
      <RelativeTime iso={createdAt} />
    </p>
  );
}

function Row({ appeal }: { appeal: AdminAppeal }) {
  const { id, text, answer, answeredAt, project } = appeal;
  const refund = refundOf(project);
  const [isAnswering, setAnswering] = useState(false);
  const { mutate, isPending } = useMutation({
    mutationFn: (words: string) =>
      adminRequest((headers) => api.answerAppeal({ params: { id }, body: { answer: words }, headers })),
    onSuccess: () => {
      setAnswering(false);
      toast({ title: 'Appeal answered', description: 'Its author can read your answer.', variant: 'success' });
    },
    onError: (error) => showFailure('Error', error, 'Failed to answer the appeal'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['/api/admin', 'appeals'] }),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-3 py-4 first:pt-1 last:pb-1">
      <div className="grid min-w-0 flex-1 basis-64 gap-2">
        <p className="wrap-anywhere whitespace-pre-wrap">{text}</p>
        {project ? <Listing project={project} /> : null}
        <Facts appeal={appeal} />
        {answer !== null && answeredAt !== null ? (
          <p className="text-sm text-warn">
            Answered <RelativeTime iso={answeredAt} />: {answer}
          </p>
        ) : null}
      </div>
      {project && refund ? <RefundButton refund={refund} name={project.name} /> : null}
      {answer === null ? (
        <Button variant="secondary" aria-label={`Answer appeal ${id}`} onClick={() => setAnswering(true)}>
          <Reply aria-hidden size={18} />
          Answer
        </Button>
      ) : null}
      {isAnswering ? (
        <ReasonDialog
          title={`Answer appeal #${id}`}
          description={
            project
              ? 'The owner reads your answer. To show the listing again, restore it in Moderation; to refund its fee, press Refund.'
              : 'The voter reads your answer. To let a vote count again, lift it in the list below.'
          }
          label="Answer"
          action="Send answer"
          busy={isPending ? 'Sending...' : false}
          onClose={() => setAnswering(false)}
          onSubmit={mutate}
        />
      ) : null}
    </li>
  );
}

/** Notes of voters whose votes do not count (R39), and of owners of hidden listings (R80), with their answers. */
export function Appeals() {
  const [state, setState] = useState<AppealState>('open');
  const source = adminLists.appeals(state);
  const { rows, error, retry, isRetrying, more } = useList(source, { noun: 'appeals', refetchInterval: pollQueue });
  return (
    <Card aria-labelledby="appeals" className="grid grid-cols-1 gap-4">
      <CardTitle id="appeals" aside={<TotalCount total={rows && more.total} />}>
        Appeals
      </CardTitle>
      <div>
        <Segmented label="State of the appeals" options={STATES} value={state} onChange={setState} />
      </div>
      {error ? <ErrorState error={error} onRetry={retry} retrying={isRetrying} /> : null}
      {!rows && !error ? <Skeleton className="h-44 w-full" /> : null}
      {rows?.length === 0 ? (
        <EmptyState icon={<MessageSquareText size={28} />} title="Nothing here">
          {state === 'open' ? 'No appeal waits for an answer.' : 'No appeal was answered yet.'}
        </EmptyState>
      ) : null}
      {rows && rows.length > 0 ? (
        <>
          <ul className="divide-y divide-line">
            {rows.map((appeal) => (
              <Row key={appeal.id} appeal={appeal} />
            ))}
          </ul>
          <ShowMore more={more} noun="appeals" />
          <CsvButton name={`Appeals ${state}`} columns={COLUMNS} source={source} toRows={toRows} />
        </>
      ) : null}
    </Card>
  );
}
