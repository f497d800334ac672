import { useQuery } from '@tanstack/react-query';
import { ListingLive } from '../../components/listing/listing-live.tsx';
import { queries } from '../../lib/queries.ts';
import { justListed } from '../../payments/just-listed.ts';
import { Dialog } from '../../ui/dialog.tsx';

/** Celebrates a new listing over the deck, once the project is known. */
export function ListedDialog({ projectId }: { projectId: number }) {
  const { data: project } = useQuery(queries.project(projectId));
  return (
    <Dialog
      open={project !== undefined}
      onOpenChange={() => justListed.set(null)}
      title="Your project is live!"
      description={project ? `${project.name} is in the decks of all voters now.` : null}
    >
      {project ? <ListingLive project={project} /> : null}
    </Dialog>
  );
}
