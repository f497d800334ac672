import { isolated } from '#shared/text/isolated.ts';
import { useEffect } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { Project } from '#shared/contract/types.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { useIsLive, useStore } from '../../../lib/external-store.ts';
import { queries, queryClient } from '../../../lib/queries.ts';
import { toast } from '../../../lib/toast.ts';
import { CANNOT_VOTE } from '../../../voting/send-vote.ts';
import { dealCard, dealing, deck } from './vote.ts';

const sorry = (title: string, description: string) => toast({ title, description });

const isCard = ({ slug, id }: Project, ref: string): boolean => slug === ref || String(id) === ref;

async function deal(userId: number, ref: string): Promise<void> {
  const here = deck.get().queue.find((card) => isCard(card, ref));
  if (here) return dealCard(userId, here);
  const counted = deck.get().votedIds;
  try {
    const project = await queryClient.fetchQuery(queries.project(ref));
    const { canVote } = await queryClient.fetchQuery({ ...queries.ownVote(userId, project.id), staleTime: 0 });
    const { pending, votedIds } = deck.get();
    // The answer may be older than a vote of this page: one that is in flight, or was counted during the call.
    const isVoted =
      pending.some(({ id }) => id === project.id) || (votedIds.has(project.id) && !counted.has(project.id));
    const answer = canVote === 'yes' && isVoted ? 'voted' : canVote;
    if (answer === 'yes') dealCard(userId, project);
    else sorry(`${isolated(project.name)} is not in your deck`, CANNOT_VOTE[answer]);
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null;
    const isMissing = cause instanceof ApiError && [400, 404].includes(cause.status);
    sorry('The card could not be dealt', isMissing ? 'There is no such project.' : 'Open the link again in a moment.');
  }
}

/** `/?card=<slug>` deals that card before another can be voted on (R48, R61); then the address is the deck's own again. */
export function useDealtCard(userId: number): boolean {
  const ref = new URLSearchParams(useSearch()).get('card')?.toLowerCase() ?? null;
  const [, navigate] = useLocation();
  const { loaded, queue } = useStore(deck);
  const [top] = queue;
  const isOnTop = ref !== null && top !== undefined && isCard(top, ref);
  const isDealing = useStore(dealing);
  const isLive = useIsLive();
  useEffect(() => {
    if (ref === null) return undefined;
    if (isOnTop) {
      navigate('/', { replace: true });
      return undefined;
    }
    dealing.set(true);
    if (!loaded) return () => dealing.set(false);
    navigate('/', { replace: true });
    void deal(userId, ref).finally(() => dealing.set(false));
    return undefined;
  }, [ref, isOnTop, loaded, userId, navigate]);
  return isLive && (isDealing || (ref !== null && !isOnTop));
}
