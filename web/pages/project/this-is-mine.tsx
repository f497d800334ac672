import { isolated } from '#shared/text/isolated.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { BadgeCheck } from 'lucide-react';
import { useEffect } from 'react';
import { isClaimable, ownershipText, TAKE_OVER } from '#shared/listings/ownership.ts';
import { OWNERSHIP_REASON } from '#shared/people/report-kinds.ts';
import { OnDemand } from '../../components/states/on-demand.tsx';
import { api } from '../../lib/api.ts';
import { ApiError } from '../../lib/api-error.ts';
import { createStore, useStore } from '../../lib/external-store.ts';
import { loadable } from '../../lib/loadable.tsx';
import { PROJECT_READS, queries, queryClient } from '../../lib/queries.ts';
import { useLiveUser } from '../../lib/session.ts';
import { toast } from '../../lib/toast.ts';
import { Button } from '../../ui/button.tsx';
import { connectFirst } from './connect-first.ts';
import type { ProjectView } from './project-view.ts';
import { askToReport, type Reported } from './report-asked.ts';

const dialog = loadable(async () => (await import('./claim-dialog.tsx')).ClaimDialog);
const CHANGED = [...PROJECT_READS, ['listWalletProjects'], ['listActivity']];

const messageOf = (error: Error): string => (error instanceof ApiError ? error.serverMessage : error.message);

type Way = 'prove' | 'claim' | 'takeOver' | 'review' | 'report';

/**
 * Owners prove what they list, and ask for a review of what they control; all others, visitors too, may claim what the catalogue lists,
 * except the wallet that keeps it, take over what nobody has proven, or tell a moderator which coin is theirs.
 */
function wayOf({ listing, submittedBy, hidden }: ProjectView, wallet: string | null): Way | null {
  const { ownership, coinSource } = listing;
  if (hidden || !isClaimable(listing)) return null;
  const isUnclaimed = ownership === 'unclaimed';
  if (wallet !== submittedBy) {
    if (listing.claim) return null;
    if (coinSource === null) return 'report';
    return isUnclaimed && coinSource !== 'lister' ? 'claim' : 'takeOver';
  }
  if (isUnclaimed || coinSource === null) return null;
  return ownership === 'controls' ? 'review' : 'prove';
}

const FAILURES = { prove: 'Not proven', claim: 'Not claimed', takeOver: 'Not claimed', review: 'Not asked' } as const;
const isClaim = (way: Way | null): way is 'claim' | 'takeOver' => way === 'claim' || way === 'takeOver';

const reportOf = (projectId: number, name: string): Reported => ({
  subject: 'project',
  subjectId: projectId,
  projectId,
  name,
  isMine: true,
});

/** The open claim. `isConfirmed`: it was pressed before the sign-in, and continues after it. */
const claimAsked = createStore<{ projectId: number; isConfirmed: boolean } | null>(null);

/** A link with `?claim`, as forms have for an existing listing, opens the claim. */
function useClaimAsked({ id: projectId, name }: ProjectView, way: Way | null): void {
  useEffect(() => {
    const url = new URL(location.href);
    if (!(isClaim(way) || way === 'report') || !url.searchParams.has('claim')) return;
    url.searchParams.delete('claim');
    history.replaceState(history.state, '', url);
    if (way === 'report') askToReport(reportOf(projectId, name));
    else claimAsked.set({ projectId, isConfirmed: false });
  }, [projectId, name, way]);
  // A dialog closes with its page, and a confirmed claim outlives it.
  useEffect(
    () => () => {
      if (!claimAsked.get()?.isConfirmed) claimAsked.set(null);
    },
    [],
  );
}

export function ThisIsMine({ project }: { project: ProjectView }) {
  const user = useLiveUser();
  const way = wayOf(project, user?.walletAddress ?? null);
  const stored = useStore(claimAsked);
  const asked = stored?.projectId === project.id ? stored : null;
  const tellModerator = () => {
    claimAsked.set(null);
    askToReport(reportOf(project.id, project.name));
  };
  const ask = (isConfirmed = false) => claimAsked.set({ projectId: project.id, isConfirmed });
  useClaimAsked(project, way);
  const own = useQuery({ ...queries.ownVote(user?.id ?? 0, project.id), enabled: isClaim(way) && user !== null });
  // A vote that could not be read may exist.
  const showsVote = user !== null && own.data?.vote !== null;
  const { mutate, isPending } = useMutation({
    mutationFn: async (tried: keyof typeof FAILURES) => {
      if (tried !== 'review') return api.proveOwnership({ params: { id: String(project.id) } });
      // The wallet controls the coin; that it is the project's coin a moderator confirms.
      const body = { subject: 'project', subjectId: project.id, reason: OWNERSHIP_REASON, text: '' } as const;
      await api.postReport({ body });
      return project.listing;
    },
    onSuccess: (listing, tried) => {
      const text = ownershipText(listing);
      const words = {
        prove: { title: text, description: project.name },
        claim: { title: 'This listing is yours', description: `${isolated(project.name)}: ${text}` },
        review: { title: 'Asked for a review', description: 'A moderator looks at the coin. You get a notice.' },
        takeOver: { title: 'Claimed', description: `${TAKE_OVER} You get a notice.` },
      }[tried];
      toast({ ...words, variant: 'success' });
      for (const queryKey of CHANGED) void queryClient.invalidateQueries({ queryKey });
    },
    onError: (error, tried) => toast({ title: FAILURES[tried], description: messageOf(error), variant: 'destructive' }),
    onSettled: () => claimAsked.set(null),
  });
  const continues = isClaim(way) && asked?.isConfirmed === true && user !== null && !own.isLoading;
  useEffect(() => {
    if (!continues) return;
    claimAsked.set({ projectId: project.id, isConfirmed: false });
    // A vote is named first: a claim shows others its direction.
    if (!showsVote) mutate(way);
  }, [continues, showsVote, mutate, project.id, way]);
  if (way === null) return null;
  return (
    <>
      {way === 'review' ? (
        <p className="basis-full text-sm text-muted">
          Your wallet controls this coin. Ask for a review to show ownership as proven.
        </p>
      ) : null}
      <Button
        variant="ghost"
        className="-mx-3 px-3! text-sm"
        disabled={isPending || own.isLoading}
        onClick={() => (isClaim(way) ? ask() : way === 'report' ? tellModerator() : mutate(way))}
      >
        <BadgeCheck aria-hidden size={18} />
        {isPending ? 'Asking the chain...' : 'This is mine'}
      </Button>
      {asked && (user || !asked.isConfirmed) ? (
        <OnDemand name="The dialog" onRetry={dialog.retry} className="panel fixed inset-x-4 bottom-4 z-50 p-4">
          <dialog.Part
            project={project}
            isSignedIn={user !== null}
            showsVote={showsVote}
            isPending={isPending}
            onClose={() => claimAsked.set(null)}
            isTakeOver={way === 'takeOver'}
            onClaim={() => mutate(isClaim(way) ? way : 'claim')}
            onReport={tellModerator}
            onConnect={() => {
              ask(true);
              void connectFirst(claimAsked);
            }}
          />
        </OnDemand>
      ) : null}
    </>
  );
}
