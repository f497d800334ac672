import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { REVIEW_COST_TOKENS } from '#shared/constants.ts';
import type { Review } from '#shared/contract/reviews.ts';
import { validateReview } from '#shared/rules.ts';
import { cleanText } from '#shared/clean-text.ts';
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

export function usePostReview(projectId: number, userId: number) {
  const [content, setContent] = useState('');
  const [contentError, setError] = useState<string | null>(null);

  const { mutate, isPending } = useMutation({
    mutationFn: (text: string) => {
      if (session.get().user?.id !== userId) throw new Error(NOT_READY);
      return api.postReview({ params: { id: String(projectId) }, body: { userId, content: text } });
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
        title: 'Review posted!',
        description: `${REVIEW_COST_TOKENS} tokens have been burned`,
        variant: 'success',
      });
    },
    onError: (error) => {
      const isSignedOut = error instanceof ApiError && error.status === 401;
      const message = isSignedOut
        ? NOT_READY
        : errorText(error, error instanceof ApiError ? 'Failed to submit review' : 'Something went wrong');
      if (error instanceof ApiError && error.field === 'content') setError(message);
      toast({ title: 'Failed to post review', description: message, variant: 'destructive' });
    },
  });

  function post(): void {
    if (isPending) return;
    const found = validateReview(cleanText(content));
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
