import { useMutation } from '@tanstack/react-query';
import { ArchiveRestore, ArchiveX, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { ModeratedVote } from '#shared/contract/standing.ts';
import { shortenAddress } from '#shared/text.ts';
import { EmptyState } from '../../../components/states/empty-state.tsx';
import { ErrorState } from '../../../components/states/error-state.tsx';
import { ShowMore, TotalCount } from '../../../components/states/show-more.tsx';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import { VoteStateBadge } from '../../../components/values/voter-state.tsx';
import { api } from '../../../lib/api.ts';
import { paths } from '../../../lib/paths.ts';
import { queryClient } from '../../../lib/queries.ts';
import { toast } from '../../../lib/toast.ts';
import { useList } from '../../../lib/use-list.ts';
import { Button } from '../../../ui/button.tsx';
import { Card, CardTitle } from '../../../ui/card.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { adminLists } from '../admin-queries.ts';
import { adminRequest, showFailure } from '../admin-session.ts';
import { ReasonDialog } from '../reason-dialog.tsx';
import { CsvButton } from '../table/csv-button.tsx';
import { SearchForm } from '../table/search-form.tsx';

const nameOf = ({ username, walletAddress }: ModeratedVote): string => username ?? shortenAddress(walletAddress);

function Row({ vote }: { vote: ModeratedVote }) {
  const [isAsking, setAsking] = useState(false);
  const isAside = vote.state === 'rhythm' || vote.state === 'moderator';
  const word = isAside ? 'Count again' : 'Exclude';
  const what = `the vote of ${nameOf(vote)} on ${vote.project.name}`;
  const { mutate, isPending } = useMutation({
    mutationFn: (reason: string) =>
      adminRequest((headers) =>
        api.moderateVote({
          params: { id: vote.userId },
          body: { projectId: vote.project.id, aside: !isAside, reason },
          headers,
        }),
      ),
    onSuccess: () => {
      setAsking(false);
      toast({ title: isAside ? 'Vote counts again' : 'Vote excluded', description: what, variant: 'success' });
    },
    onError: (error) =>
      showFailure('Error', error, isAside ? 'Failed to count the vote again' : 'Failed to exclude the vote'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['/api/admin', 'moderation', 'votes'] }),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-3 py-4 first:pt-0 last:pb-0">
      <div className="grid min-w-0 flex-1 basis-64 gap-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span>
            user {vote.userId}, <span title={vote.walletAddress}>{nameOf(vote)}</span>: {vote.voteType} on{' '}
            <Link href={paths.project(vote.project)} className="font-semibold underline-offset-4 hover:underline">
              {vote.project.name}
            </Link>
          </span>
          <VoteStateBadge state={vote.state} />
        </p>
        <p className="flex flex-wrap gap-x-2 text-sm text-muted">
          <RelativeTime iso={vote.createdAt} />
          {vote.detail === null ? null : <span className="wrap-anywhere text-warn">{vote.detail}</span>}
        </p>
      </div>
      <Button variant="secondary" aria-label={`${word}: ${what}`} onClick={() => setAsking(true)}>
        {isAside ? <ArchiveRestore aria-hidden size={18} /> : <ArchiveX aria-hidden size={18} />}
        {word}
      </Button>
      {isAsking ? (
        <ReasonDialog
          title={isAside ? 'Count the vote again' : 'Exclude the vote'}
          description="It is never deleted. The voter can read your reason."
          action={word}
          busy={isPending ? 'Saving...' : false}
          onClose={() => setAsking(false)}
          onSubmit={mutate}
        />
      ) : null}
    </li>
  );
}

/** One row of the CSV: the project by its slug. */
const toRows = ({ project, ...vote }: ModeratedVote) => [{ ...vote, project: project.slug }];
const COLUMNS = [
  'userId',
  'username',
  'walletAddress',
  'project',
  'period',
  'voteType',
  'createdAt',
  'state',
  'detail',
];

/** Sets votes aside and lifts that, with a reason that the voter reads (R39). */
export function ModeratedVotes() {
  const [words, setWords] = useState('');
  const isUser = /^[1-9]\d{0,14}$/.test(words);
  const source = adminLists.moderatedVotes(isUser ? Number(words) : undefined);
  const { rows, error, retry, isRetrying, more } = useList(source, { noun: 'votes', keepPrevious: true });
  return (
    <Card aria-labelledby="moderated-votes" className="grid grid-cols-1 gap-5">
      <CardTitle id="moderated-votes" aside={<TotalCount total={rows && more.total} />}>
        Excluded votes
      </CardTitle>
      <SearchForm
        label="Find the votes of a user"
        hint="By the user's number. An empty search lists the votes that look automated or that a moderator excluded."
        onSearch={setWords}
      />
      {words !== '' && !isUser ? (
        <p role="alert" className="text-sm font-semibold text-bear">
          Enter the number of a user
        </p>
      ) : null}
      {error ? <ErrorState error={error} onRetry={retry} retrying={isRetrying} /> : null}
      {!rows && !error ? <Skeleton className="h-44 w-full" /> : null}
      {rows?.length === 0 ? (
        <EmptyState icon={<ShieldCheck size={28} />} title={isUser ? 'This user has not voted' : 'No excluded votes'} />
      ) : null}
      {rows && rows.length > 0 ? (
        <>
          <ul className="divide-y divide-line">
            {rows.map((vote) => (
              <Row key={`${vote.userId}-${vote.project.id}-${vote.period}`} vote={vote} />
            ))}
          </ul>
          <ShowMore more={more} noun="votes" />
          <CsvButton name="Excluded votes" columns={COLUMNS} source={source} toRows={toRows} />
        </>
      ) : null}
    </Card>
  );
}
