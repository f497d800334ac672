import { Flame, PenLine } from 'lucide-react';
import { useId } from 'react';
import { REVIEW_COST_TOKENS, REVIEW_MAX_CHARS } from '#shared/constants.ts';
import type { User } from '#shared/contract/types.ts';
import { CountedTextarea } from '../../components/project/counted-textarea.tsx';
import { SnapCoin } from '../../components/values/snap-coin.tsx';
import { ReadNote } from '../../components/states/read-note.tsx';
import { useStats } from '../../components/user/use-stats.ts';
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

function Progress({ tokens }: { tokens: number }) {
  const id = useId();
  return (
    <div className="grid gap-3">
      <p id={id} className="text-muted">
        {TOO_FEW_TOKENS}
      </p>
      <Balance tokens={tokens} />
      <progress
        aria-labelledby={id}
        max={REVIEW_COST_TOKENS}
        value={tokens}
        className="h-2.5 w-full appearance-none overflow-hidden rounded-full bg-raised [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-raised [&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:bg-accent"
      />
    </div>
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
      <p className="flex gap-3 rounded-lg bg-warn-soft px-4 py-3 text-sm font-medium text-warn">
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
        Post Review ({REVIEW_COST_TOKENS} tokens)
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
      {balance !== undefined && !hasForm ? <Progress tokens={balance} /> : null}
      {failure ? <ReadNote failure={failure} isStale={stats !== undefined} /> : null}
    </div>
  );
}

export function PostReview({ project, user }: { project: ProjectView; user: User }) {
  return (
    <Card aria-labelledby="post-review">
      <CardTitle id="post-review" icon={<PenLine aria-hidden size={20} className="text-link" />}>
        Post a Review
      </CardTitle>
      <Body project={project} user={user} />
    </Card>
  );
}
