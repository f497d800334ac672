import { isolated } from '#shared/text/isolated.ts';
import { useMutation } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';
import { cleanText } from '#shared/text/clean-text.ts';
import { REVIEW_MAX_CHARS } from '#shared/constants.ts';
import type { Review } from '#shared/contract/reviews.ts';
import { validateReview } from '#shared/rules.ts';
import { CountedTextarea } from '../../components/project/counted-textarea.tsx';
import { errorText } from '../../lib/api-error.ts';
import { api } from '../../lib/api.ts';
import { toast } from '../../lib/toast.ts';
import { Button } from '../../ui/button.tsx';
import type { ProjectView } from './project-view.ts';
import { showReply } from './show-reply.ts';

interface ReplyEditorProps {
  project: ProjectView;
  review: Review;
  onDone: () => void;
}

export function ReplyEditor({ project, review, onDone }: ReplyEditorProps) {
  const form = useRef<HTMLFormElement>(null);
  const [text, setText] = useState(review.reply?.content ?? '');
  const [error, setError] = useState<string | null>(null);
  // With the drawing, not after it: letters that are typed at once go into the field.
  useLayoutEffect(() => form.current?.querySelector('textarea')?.focus(), []);
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.replyToReview({ params: { id: String(review.id) }, body: { content: text } }),
    onSuccess: (reply) => {
      showReply(project.id, review.id, reply);
      toast({
        title: review.reply ? 'Reply changed' : 'Reply posted',
        description: review.reply ? undefined : 'The author of the review gets a notification.',
        variant: 'success',
      });
      onDone();
    },
    onError: (failure) => setError(errorText(failure, 'The reply could not be posted')),
  });
  function submit(): void {
    const found = validateReview(cleanText(text), 'Reply');
    setError(found?.message ?? null);
    if (!found && !isPending) mutate();
  }
  return (
    <form
      ref={form}
      noValidate
      className="mt-3 grid gap-3 rounded-lg bg-raised p-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <CountedTextarea
        label={`Reply from ${isolated(project.name)}`}
        hint="Everyone can read it. You can change it later."
        rows={3}
        dir="auto"
        value={text}
        maxChars={REVIEW_MAX_CHARS}
        counter="left"
        error={error}
        onChange={(next) => {
          setText(next);
          setError(null);
        }}
      />
      <p className="flex flex-wrap gap-3">
        <Button type="submit" busy={isPending ? 'Posting...' : false}>
          {review.reply ? 'Save reply' : 'Post reply'}
        </Button>
        <Button variant="ghost" disabled={isPending} onClick={onDone}>
          Cancel
        </Button>
      </p>
    </form>
  );
}
