import { isolated } from '#shared/text/isolated.ts';
import { Name } from '../../../components/values/name.tsx';
import { ArchiveRestore, ArchiveX, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import type { ModeratedVote } from '#shared/contract/standing.ts';
import { shortenAddress } from '#shared/text/text.ts';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import { VoteStateBadge } from '../../../components/values/voter-state.tsx';
import { api } from '../../../lib/api.ts';
import { Act } from '../act.tsx';
import { adminList } from '../admin-queries.ts';
import { Queue } from '../queue.tsx';
import { ProjectLink, Row } from '../row.tsx';
import { SearchForm } from '../table/search-form.tsx';
import { Appeals } from './appeals.tsx';
import { JobsNow } from './jobs-now.tsx';

const toRow = ({ project, ...vote }: ModeratedVote) => ({ ...vote, project: project.slug });

const nameOf = ({ username, walletAddress }: ModeratedVote): string => username ?? shortenAddress(walletAddress);

const EXCLUDE = {
  word: 'Exclude',
  Icon: ArchiveX,
  title: 'Exclude the vote',
  done: 'Vote excluded',
  failed: 'Failed to exclude the vote',
};
const COUNT_AGAIN = {
  word: 'Count again',
  Icon: ArchiveRestore,
  title: 'Count the vote again',
  done: 'Vote counts again',
  failed: 'Failed to count the vote again',
};

function VoteAct({ vote }: { vote: ModeratedVote }) {
  const isExcluded = vote.state === 'rhythm' || vote.state === 'moderator';
  const { word, Icon, title, done, failed } = isExcluded ? COUNT_AGAIN : EXCLUDE;
  const what = `the vote of ${isolated(nameOf(vote))} on ${isolated(vote.project.name)}`;
  return (
    <Act
      word={word}
      label={`${word}: ${what}`}
      Icon={Icon}
      ask={{ title, description: 'It is never deleted. The voter can read your reason.' }}
      call={(headers, reason) => {
        const body = { projectId: vote.project.id, aside: !isExcluded, reason };
        return api.moderateVote({ params: { id: vote.userId }, body, headers });
      }}
      done={{ title: done, description: what }}
      failed={failed}
    />
  );
}

function Vote({ vote }: { vote: ModeratedVote }) {
  return (
    <Row acts={<VoteAct vote={vote} />}>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span>
          user {vote.userId},{' '}
          <span title={vote.walletAddress}>
            <Name>{nameOf(vote)}</Name>
          </span>
          : {vote.voteType} on{' '}
          <ProjectLink slug={vote.project.slug}>
            <Name>{vote.project.name}</Name>
          </ProjectLink>
        </span>
        <VoteStateBadge state={vote.state} />
      </p>
      <p className="flex flex-wrap gap-x-2 text-sm text-muted">
        <RelativeTime iso={vote.createdAt} />
        {vote.detail === null ? null : <span className="wrap-anywhere text-text">{vote.detail}</span>}
      </p>
    </Row>
  );
}

function ModeratedVotes() {
  const [words, setWords] = useState('');
  const isUser = /^[1-9]\d{0,14}$/.test(words);
  return (
    <Queue
      title="Excluded votes"
      noun="votes"
      source={adminList('listModeratedVotes', { voterId: isUser ? Number(words) : undefined })}
      keepPrevious
      filter={
        <>
          <SearchForm
            label="Find the votes of a user"
            hint="By the user's number. An empty search lists the votes that look automated or that a moderator excluded."
            onSearch={setWords}
          />
          {words !== '' && !isUser ? (
            <p role="alert" className="text-sm font-semibold text-text">
              Enter the number of a user
            </p>
          ) : null}
        </>
      }
      empty={{ Icon: ShieldCheck, title: isUser ? 'This user has not voted' : 'No excluded votes' }}
      csv={{ toRow }}
      renderRow={(vote) => <Vote key={`${vote.userId}-${vote.project.id}-${vote.period}`} vote={vote} />}
    />
  );
}

export const VotesTab = () => (
  <div className="grid grid-cols-1 gap-6">
    <JobsNow />
    <Appeals />
    <ModeratedVotes />
  </div>
);
