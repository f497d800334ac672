import { useMutation, useQuery } from '@tanstack/react-query';
import { BadgeCheck } from 'lucide-react';
import { useState } from 'react';
import { ownershipText } from '#shared/ownership.ts';
import { OnDemand } from '../../components/states/on-demand.tsx';
import { api } from '../../lib/api.ts';
import { ApiError } from '../../lib/api-error.ts';
import { loadable } from '../../lib/loadable.tsx';
import { queries, queryClient } from '../../lib/queries.ts';
import { useLiveUser } from '../../lib/session.ts';
import { toast } from '../../lib/toast.ts';
import { Button } from '../../ui/button.tsx';
import type { ProjectView } from './project-view.ts';

const dialog = loadable(async () => (await import('./claim-dialog.tsx')).ClaimDialog);
const CHANGED = [['/api/projects'], ['/api/projects/wallet'], ['/api/users/activity']];

const messageOf = (error: Error): string => (error instanceof ApiError ? error.serverMessage : error.message);

type Way = 'prove' | 'claim';

/** Owners prove what they list; any other wallet may claim what the catalogue lists, except the one that keeps it. */
function wayOf({ listing, submittedBy, hidden }: ProjectView, wallet: string): Way | null {
  const { ownership, coinSource } = listing;
  if (coinSource === null || hidden) return null;
  const isOwn = wallet === submittedBy;
  if (ownership === 'unclaimed') return isOwn || coinSource === 'lister' ? null : 'claim';
  return isOwn && (ownership === 'none' || ownership === 'lost') ? 'prove' : null;
}

const WORDS = {
  prove: { button: 'Prove ownership', failure: 'Not proven' },
  claim: { button: 'Claim this listing', failure: 'Not claimed' },
} as const;

export function ProveOwnership({ project }: { project: ProjectView }) {
  const user = useLiveUser();
  const way = user ? wayOf(project, user.walletAddress) : null;
  const [isAsking, setAsking] = useState(false);
  const own = useQuery({ ...queries.ownVote(user?.id ?? 0, project.id), enabled: way === 'claim' });
  // A vote that could not be read may exist.
  const showsVote = way === 'claim' && own.data?.vote !== null;
  const { mutate, isPending } = useMutation({
    mutationFn: (_way: Way) => api.proveOwnership({ params: { id: String(project.id) } }),
    onSuccess: (listing, tried) => {
      const text = ownershipText(listing);
      toast({
        title: tried === 'claim' ? 'This listing is yours' : text,
        description: tried === 'claim' ? `${project.name}: ${text}` : project.name,
        variant: 'success',
      });
      for (const queryKey of CHANGED) void queryClient.invalidateQueries({ queryKey });
    },
    onError: (error, tried) =>
      toast({ title: WORDS[tried].failure, description: messageOf(error), variant: 'destructive' }),
    onSettled: () => setAsking(false),
  });
  if (way === null) return null;
  return (
    <>
      <Button
        variant="secondary"
        disabled={isPending || own.isLoading}
        onClick={() => (showsVote ? setAsking(true) : mutate(way))}
      >
        <BadgeCheck aria-hidden size={18} />
        {isPending ? 'Asking the chain...' : WORDS[way].button}
      </Button>
      {isAsking ? (
        <OnDemand name="The dialog" onRetry={dialog.retry} className="panel fixed inset-x-4 bottom-4 z-50 p-4">
          <dialog.Part
            name={project.name}
            isPending={isPending}
            onClose={() => setAsking(false)}
            onClaim={() => mutate(way)}
          />
        </OnDemand>
      ) : null}
    </>
  );
}
