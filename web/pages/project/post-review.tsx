import { Flame } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Link } from 'wouter';
import {
  REVIEW_COST_TOKENS,
  REVIEW_MAX_CHARS,
  SENTENCE_COST_TOKENS,
  SENTENCE_MAX_CHARS,
  VOTE_REWARD_TOKENS,
} from '#shared/constants.ts';
import type { User } from '#shared/contract/types.ts';
import { STANDING_WINDOW_DAYS } from '#shared/states/votes.ts';
import { CountedTextarea } from '../../components/project/counted-textarea.tsx';
import { SnapCoin } from '../../components/values/snap-coin.tsx';
import { ReadNote } from '../../components/states/read-note.tsx';
import { useStats } from '../../components/user/use-stats.ts';
import { paths } from '../../lib/paths.ts';
import { queries } from '../../lib/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Card, CardTitle } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { ProjectView } from './project-view.ts';
import { usePostReview } from './use-post-review.ts';

const TOO_FEW_TOKENS = `You need at least ${REVIEW_COST_TOKENS} tokens to post a review. Vote on projects to earn tokens!`;

function Balance({ tokens }: { tokens: number }) {
  return (
    <p className="flex items-center justify-between gap-3 text-muted">
      Your balance
      <span className="inline-flex items-center gap-1.5 font-bold text-text">
        <SnapCoin className="size-5" />
        {tokens.toLocaleString()} Snaps
      </span>
    </p>
  );
}

const VerifiedWallet = () => (
  <Link href={paths.portfolio} className="text-link underline underline-offset-4">
    verified wallet
  </Link>
);

interface SentenceProps {
  project: ProjectView;
  user: User;
  balance: number;
}

/** The first condition that the user does not meet; null where all are met, undefined while that is not known. */
function useObstacle({ project, user, balance }: SentenceProps): string | null | undefined {
  const { data: own } = useQuery({ ...queries.ownVote(user.id, project.id), enabled: false });
  const isOpen = own?.reasons !== undefined;
  const hasEnough = balance >= SENTENCE_COST_TOKENS;
  const { data: standing, isLoading } = useQuery({ ...queries.standing(user.id), enabled: isOpen && hasEnough });
  if (!isOpen) return 'Vote on this project first.';
  if (!hasEnough) return `You have ${balance} Snaps; each vote earns ${VOTE_REWARD_TOKENS}.`;
  if (isLoading) return undefined;
  return standing === undefined || standing.state === 'standing' ? null : 'Your wallet is not verified yet.';
}

/** A sentence costs what a voter has after ten votes (R89). */
function SentenceForm(props: SentenceProps) {
  const { project, user, balance } = props;
  const obstacle = useObstacle(props);
  const { content, error, isPosting, write, post } = usePostReview(project.id, user.id, 'sentence');
  const reasonId = useId();
  // Both conditions from the first moment on: saving Snaps takes minutes, the wallet a week.
  const note = obstacle ? (
    <p id={reasonId} className="text-sm text-muted">
      {obstacle} A sentence: {SENTENCE_COST_TOKENS} Snaps and a <VerifiedWallet /> ({STANDING_WINDOW_DAYS} days).
    </p>
  ) : null;
  // Text that was typed stays, so that it is not lost.
  if (obstacle !== null && content === '') return note ?? <Skeleton className="h-12 w-full" />;
  return (
    <form
      noValidate
      aria-label="One sentence"
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        post();
      }}
    >
      <CountedTextarea
        label="Your sentence"
        value={content}
        onChange={write}
        maxChars={SENTENCE_MAX_CHARS}
        counter="left"
        error={error}
        rows={2}
        dir="auto"
        placeholder="Why did you vote like that?"
      />
      <p className="text-sm text-muted">
        Burns {SENTENCE_COST_TOKENS} Snaps. Shown with your name; your vote is not. Takes a <VerifiedWallet />, once per
        listing period.
      </p>
      <Balance tokens={balance} />
      <Button
        type="submit"
        variant="secondary"
        busy={isPosting ? 'Posting...' : false}
        disabled={note !== null}
        aria-describedby={note ? reasonId : undefined}
      >
        {`Post sentence (${SENTENCE_COST_TOKENS} Snaps)`}
      </Button>
      {note}
    </form>
  );
}

function ReviewForm({ review, balance }: { review: ReturnType<typeof usePostReview>; balance: number }) {
  const reasonId = useId();
  const { content, error, isPosting, write, post } = review;
  const isShort = balance < REVIEW_COST_TOKENS;
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        post();
      }}
    >
      <p className="flex gap-3 rounded-lg bg-raised px-4 py-3 text-sm font-medium text-text">
        <Flame aria-hidden size={20} className="shrink-0" />
        <span>The Snaps for a review are burned.</span>
      </p>
      <CountedTextarea
        label="Your review"
        value={content}
        onChange={write}
        maxChars={REVIEW_MAX_CHARS}
        counter="left"
        error={error}
        dir="auto"
        placeholder="What should others know?"
      />
      <Balance tokens={balance} />
      <Button
        type="submit"
        busy={isPosting ? 'Posting Review...' : false}
        disabled={isShort}
        aria-describedby={isShort ? reasonId : undefined}
      >
        {`Post Review (${REVIEW_COST_TOKENS} tokens)`}
      </Button>
      {isShort ? (
        <p id={reasonId} className="text-sm text-muted">
          {TOO_FEW_TOKENS}
        </p>
      ) : null}
    </form>
  );
}

function Body({ project, user }: { project: ProjectView; user: User }) {
  const review = usePostReview(project.id, user.id);
  const { stats, failure } = useStats(user.id);
  const balance = stats?.tokenBalance;
  // A form that has text stays when the balance falls, so that the text is not lost.
  const hasForm = balance !== undefined && (balance >= REVIEW_COST_TOKENS || review.content !== '');
  return (
    <div className="grid gap-4">
      {balance === undefined && !failure ? <Skeleton className="h-12 w-full" /> : null}
      {hasForm ? <ReviewForm review={review} balance={balance} /> : null}
      {balance !== undefined ? <SentenceForm project={project} user={user} balance={balance} /> : null}
      {failure ? <ReadNote failure={failure} isStale={stats !== undefined} /> : null}
    </div>
  );
}

export function PostReview({ project, user }: { project: ProjectView; user: User }) {
  return (
    <Card aria-labelledby="post-review">
      <CardTitle id="post-review">Post a Review</CardTitle>
      <Body project={project} user={user} />
    </Card>
  );
}
