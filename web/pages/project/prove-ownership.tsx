import { useMutation } from '@tanstack/react-query';
import { BadgeCheck } from 'lucide-react';
import { ownershipText } from '#shared/ownership.ts';
import { api } from '../../lib/api.ts';
import { ApiError } from '../../lib/api-error.ts';
import { queryClient } from '../../lib/queries.ts';
import { useLiveUser } from '../../lib/session.ts';
import { toast } from '../../lib/toast.ts';
import { Button } from '../../ui/button.tsx';
import type { ProjectView } from './project-view.ts';

const messageOf = (error: Error): string => (error instanceof ApiError ? error.serverMessage : error.message);

/** For the owner of a listing that names a coin or package: the server asks the chain what the wallet holds now (R71). */
export function ProveOwnership({ project }: { project: ProjectView }) {
  const user = useLiveUser();
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.proveOwnership({ params: { id: String(project.id) } }),
    onSuccess: (listing) => {
      toast({ title: ownershipText(listing), description: project.name, variant: 'success' });
      void queryClient.invalidateQueries({ queryKey: ['/api/projects'] });
    },
    onError: (error) => toast({ title: 'Not proven', description: messageOf(error), variant: 'destructive' }),
  });
  const { ownership, coinSource } = project.listing;
  const isOpen = ownership === 'none' || ownership === 'unclaimed' || ownership === 'lost';
  if (!user || user.walletAddress !== project.submittedBy || coinSource === null || !isOpen || project.hidden)
    return null;
  return (
    <Button variant="secondary" disabled={isPending} onClick={() => mutate()}>
      <BadgeCheck aria-hidden size={18} />
      {isPending ? 'Asking the chain...' : 'Prove ownership'}
    </Button>
  );
}
