import { Name } from '../../../components/values/name.tsx';
import { MessageSquareText, Reply } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { AdminAppeal } from '#shared/contract/standing.ts';
import { formatSui, parseMist } from '#shared/money/money.ts';
import { plural } from '#shared/numbers/plural.ts';
import { Digest } from '../../../components/values/digest.tsx';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import { VoterStateBadge } from '../../../components/values/voter-state.tsx';
import { api } from '../../../lib/api.ts';
import { paths } from '../../../lib/paths.ts';
import { Segmented } from '../../../ui/segmented.tsx';
import { Act } from '../act.tsx';
import { adminList, pollQueue } from '../admin-queries.ts';
import { FeeRefund } from '../money/refund-button.tsx';
import { Queue } from '../queue.tsx';
import { Address, Row } from '../row.tsx';

const STATES = [
  { value: 'open', label: 'Open' },
  { value: 'answered', label: 'Answered' },
] as const;
type AppealState = (typeof STATES)[number]['value'];

const toRow = (appeal: AdminAppeal) => ({ ...appeal, project: appeal.project?.name ?? null });

function Listing({ project }: { project: NonNullable<AdminAppeal['project']> }) {
  const { name, hiddenReason, fee } = project;
  return (
    <p className="flex flex-wrap gap-x-3 gap-y-1 text-sm text-muted">
      <span>
        About{' '}
        <Link href={paths.project(project)} className="text-link underline underline-offset-4">
          <Name>{name}</Name>
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

function Facts({ appeal }: { appeal: AdminAppeal }) {
  const { userId, username, walletAddress, standing, votes, noStanding, rhythm, moderator, createdAt } = appeal;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
      <VoterStateBadge state={standing} />
      <span>user {userId}</span>
      {username ? (
        <span className="font-semibold text-text">
          <Name>{username}</Name>
        </span>
      ) : null}
      <Address of={walletAddress} />
      <span>
        {plural(votes, 'vote')}; excluded: {noStanding.toLocaleString()} held too little SUI, {rhythm.toLocaleString()}{' '}
        look automated, {moderator.toLocaleString()} by a moderator
      </span>
      <RelativeTime iso={createdAt} />
    </p>
  );
}

function Acts({ appeal: { id, answer, project } }: { appeal: AdminAppeal }) {
  return (
    <>
      {project?.hiddenReason ? <FeeRefund fee={project.fee} name={project.name} /> : null}
      <Act
        word="Answer"
        when={answer === null}
        label={`Answer appeal ${id}`}
        Icon={Reply}
        ask={{
          title: `Answer appeal #${id}`,
          description: project
            ? 'The owner reads your answer. To show the listing again, restore it in Moderation; to refund its fee, press Refund.'
            : 'The voter reads your answer. To let a vote count again, lift it in the list below.',
          label: 'Answer',
          action: 'Send answer',
        }}
        call={(headers, words) => api.answerAppeal({ params: { id }, body: { answer: words }, headers })}
        done={{ title: 'Appeal answered', description: 'Its author can read your answer.' }}
        failed="Failed to answer the appeal"
      />
    </>
  );
}

export function Appeals() {
  const [state, setState] = useState<AppealState>('open');
  return (
    <Queue
      title="Appeals"
      noun="appeals"
      source={adminList('listAppeals', { state })}
      poll={pollQueue}
      filter={
        <div>
          <Segmented label="State of the appeals" options={STATES} value={state} onChange={setState} />
        </div>
      }
      empty={{
        Icon: MessageSquareText,
        title: 'Nothing here',
        text: state === 'open' ? 'No appeal waits for an answer.' : 'No appeal was answered yet.',
      }}
      csv={{ name: `Appeals ${state}`, toRow }}
      renderRow={(appeal) => (
        <Row key={appeal.id} acts={<Acts appeal={appeal} />}>
          <p className="wrap-anywhere whitespace-pre-wrap">{appeal.text}</p>
          {appeal.project ? <Listing project={appeal.project} /> : null}
          <Facts appeal={appeal} />
          {appeal.answer !== null && appeal.answeredAt !== null ? (
            <p className="text-sm text-text">
              Answered <RelativeTime iso={appeal.answeredAt} />: {appeal.answer}
            </p>
          ) : null}
        </Row>
      )}
    />
  );
}
