import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { REVIEW_COST_TOKENS, SENTENCE_COST_TOKENS } from '#shared/constants.ts';
import type { Review } from '#shared/contract/reviews.ts';
import { validateReview, validateSentence } from '#shared/rules.ts';
import { cleanLine, cleanText } from '#shared/text/clean-text.ts';
import { ApiError, errorText } from '../../lib/api-error.ts';
import { api } from '../../lib/api.ts';
import type { ListPage } from '../../lib/fetch-page.ts';
import { queries, queryClient } from '../../lib/queries.ts';
import { session } from '../../lib/session.ts';
import { toast } from '../../lib/toast.ts';

function withReview(page: ListPage<Review>, review: Review): ListPage<Review> {
  if (page.rows.some(({ id }) => id === review.id)) return page;
  return { ...page, rows: [review, ...page.rows], total: page.total === null ? null : page.total + 1 };
}

const NOT_READY = 'User not authenticated or project not loaded';

/** Texts and rules of what is posted: a review, or a sentence of a voter with standing (R89). */
const KINDS = {
  review: {
    body: {},
    clean: cleanText,
    validate: validateReview,
    posted: 'Review posted!',
    cost: REVIEW_COST_TOKENS,
    unit: 'tokens',
    failed: 'Failed to post review',
    why: 'Failed to submit review',
  },
  sentence: {
    body: { isSentence: true },
    clean: cleanLine,
    validate: validateSentence,
    posted: 'Sentence posted!',
    cost: SENTENCE_COST_TOKENS,
    unit: 'Snaps',
    failed: 'Failed to post sentence',
    why: 'Failed to submit sentence',
  },
} as const;

export function usePostReview(projectId: number, userId: number, kind: keyof typeof KINDS = 'review') {
  const { body, clean, validate, posted, cost, unit, failed, why } = KINDS[kind];
  const [content, setContent] = useState('');
  const [contentError, setError] = useState<string | null>(null);

  const { mutate, isPending } = useMutation({
    mutationFn: (text: string) => {
      if (session.get().user?.id !== userId) throw new Error(NOT_READY);
      return api.postReview({ params: { id: String(projectId) }, body: { userId, content: text, ...body } });
    },
    onSuccess: ({ userStats, ...review }) => {
      setContent('');
      session.updateStats(userId, userStats);
      queryClient.setWritten(queries.stats(userId).queryKey, userStats);
      const known = queries.reviews(projectId).queryKey;
      queryClient.setWritten(known, (page) => page && withReview(page, review));
      void queryClient.invalidateQueries({ queryKey: known });
      void queryClient.invalidateQueries({ queryKey: queries.activity(userId).queryKey });
      toast({
        title: posted,
        description: `${cost} ${unit} have been burned`,
        variant: 'success',
      });
    },
    onError: (error) => {
      const isSignedOut = error instanceof ApiError && error.status === 401;
      const message = isSignedOut
        ? NOT_READY
        : errorText(error, error instanceof ApiError ? why : 'Something went wrong');
      if (error instanceof ApiError && error.field === 'content') setError(message);
      toast({ title: failed, description: message, variant: 'destructive' });
    },
  });

  function post(): void {
    if (isPending) return;
    const found = validate(clean(content));
    setError(found?.message ?? null);
    if (found) toast({ title: found.title, description: found.message, variant: 'destructive' });
    else mutate(content);
  }

  return {
    content,
    error: contentError,
    isPosting: isPending,
    write(text: string): void {
      setContent(text);
      setError(null);
    },
    post,
  };
}
