import { History } from 'lucide-react';
import { useState } from 'react';
import type { ModeratedProject } from '#shared/contract/admin.ts';
import type { ListingVersion, VersionAct } from '#shared/contract/versions.ts';
import { OnDemand } from '../../../components/states/on-demand.tsx';
import { api } from '../../../lib/api.ts';
import { loadable } from '../../../lib/loadable.tsx';
import { Button } from '../../../ui/button.tsx';
import { useAct } from '../act.tsx';
import { ReasonDialog } from '../reason-dialog.tsx';

const dialog = loadable(async () => (await import('../../../components/project/versions-dialog.tsx')).VersionsDialog);

const ACTS: Record<VersionAct, { word: string; title: string; done: string; description: string }> = {
  same_project: {
    word: 'Same project',
    title: 'Confirm the same project',
    done: 'Confirmed as the same project',
    description:
      'All votes count for the listing as it is now, and the public record says so. The owner can read your reason.',
  },
  other_project: {
    word: 'Not the same project',
    title: 'Take the confirmation back',
    done: 'Confirmation taken back',
    description:
      'Earlier votes count as votes on another project again, and the public record says so. The owner can read your reason.',
  },
  blank: {
    word: 'Blank this content',
    title: 'Blank this content',
    done: 'Content blanked',
    description:
      'Texts and picture of this version are deleted for good; the hash stays. The picture is refused from then on wherever it is shown or uploaded, in other listings and profiles, too. The owner can read your reason.',
  },
};

interface Asked {
  act: VersionAct;
  number: number;
}

export function ProjectVersions({ project }: { project: ModeratedProject }) {
  const [isOpen, setOpen] = useState(false);
  const [asked, setAsked] = useState<Asked | null>(null);
  const { mutate, isPending } = useAct({
    call: (headers, { act, number, reason }: Asked & { reason: string }) =>
      api.moderateVersion({
        params: { id: String(project.id), number: String(number) },
        body: { act, reason },
        headers,
      }),
    done: (_result, { act }) => {
      setAsked(null);
      return { title: ACTS[act].done, description: project.name };
    },
    failed: 'Failed to change the version',
  });
  const button = (act: VersionAct, number: number) => (
    <Button variant="secondary" onClick={() => setAsked({ act, number })}>
      {ACTS[act].word}
    </Button>
  );
  const actsOn = (after: ListingVersion, before: ListingVersion) => (
    <div className="flex flex-wrap gap-3">
      {after.identity > before.identity
        ? button(after.isSameProject ? 'other_project' : 'same_project', after.number)
        : null}
      {before.isBlanked ? null : button('blank', before.number)}
    </div>
  );
  const facts = asked && ACTS[asked.act];
  return (
    <>
      <Button variant="ghost" aria-label={`Versions of ${project.name}`} onClick={() => setOpen(true)}>
        <History aria-hidden size={18} />
        Versions
      </Button>
      {isOpen && !asked ? (
        <OnDemand name="The comparison" onRetry={dialog.retry} className="panel fixed inset-x-4 bottom-4 z-50 p-4">
          <dialog.Part
            project={project}
            onClose={() => setOpen(false)}
            actsOn={actsOn}
            {...(project.hiddenAt === null ? {} : { actsNow: ({ number }) => button('blank', number) })}
          />
        </OnDemand>
      ) : null}
      {asked && facts ? (
        <ReasonDialog
          title={facts.title}
          description={facts.description}
          action={facts.word}
          busy={isPending ? 'Saving...' : false}
          onClose={() => setAsked(null)}
          onSubmit={(reason) => mutate({ ...asked, reason })}
        />
      ) : null}
    </>
  );
}
