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
import type { ProjectView } from './project-view.ts';
import { usePostReview } from './use-post-review.ts';

const TOO_FEW_TOKENS = `You need at least ${REVIEW_COST_TOKENS} tokens to post a review. Vote on projects to earn tokens!`;

function Balance({ tokens }: { tokens: number | undefined }) {
  return (
    <p className="flex items-center justify-between gap-3 text-muted">
      Your balance
      <span className="inline-flex items-center gap-1.5 font-bold text-text">
        <SnapCoin className="size-5" />
        {tokens?.toLocaleString() ?? '–'} Snaps
      </span>
    </p>
  );
}

export function PostReview({ project, user }: { project: ProjectView; user: User }) {
  const { content, error, isPosting, write, post } = usePostReview(project.id, user.id);
  const reasonId = useId();
  const { stats, failure } = useStats(user.id);
  const balance = stats?.tokenBalance;
  const reason = (balance ?? 0) < REVIEW_COST_TOKENS ? TOO_FEW_TOKENS : null;
  return (
    <Card aria-labelledby="post-review">
      <CardTitle id="post-review" icon={<PenLine aria-hidden size={20} className="text-link" />}>
        Post a Review
      </CardTitle>
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
          <span>
            A review costs {REVIEW_COST_TOKENS.toLocaleString()} Snaps
            {balance === undefined ? '. They are burned.' : `. You have ${balance.toLocaleString()}. They are burned.`}
          </span>
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
        {failure ? <ReadNote failure={failure} isStale={stats !== undefined} /> : null}
        <Button
          type="submit"
          busy={isPosting ? 'Posting Review...' : false}
          disabled={reason !== null}
          aria-describedby={reason ? reasonId : undefined}
        >
          Post Review ({REVIEW_COST_TOKENS} tokens)
        </Button>
        {reason ? (
          <p id={reasonId} className="text-sm text-muted">
            {reason}
          </p>
        ) : null}
      </form>
    </Card>
  );
}
