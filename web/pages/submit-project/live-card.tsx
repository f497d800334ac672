import type { Project } from '#shared/contract/types.ts';
import { type ProjectTextField, readProjectText } from '#shared/listings/project-fields.ts';
import { PictureLine } from '../../components/project/picture-line.tsx';
import { Name } from '../../components/values/name.tsx';
import { ProjectCard } from '../../deck/project-card.tsx';
import type { ProjectForm } from '../../payments/project-draft.ts';

const TIME = '2026-01-01T00:00:00.000Z';

/** The field as it would be stored; empty while it is missing or wrong. */
function storedText(form: ProjectForm, field: ProjectTextField): string {
  const { stored, error } = readProjectText(field, form[field]);
  return error === null ? stored : '';
}

const cardOf = (form: ProjectForm): Project => ({
  id: 0,
  slug: '',
  name: form.name.trim() || 'Your project',
  category: form.category || 'Category',
  description: form.description.trim() || 'Your description',
  imageUrl: form.imageUrl,
  twitterHandle: storedText(form, 'twitterHandle') || 'yourhandle',
  website: storedText(form, 'website') || null,
  coinType: null,
  packageId: null,
  identity: 1,
  submittedBy: '',
  transactionHash: null,
  listing: { source: 'paid', since: TIME, coinSource: null, ownership: 'none', subject: null, ownershipSince: null },
  createdAt: TIME,
  expiresAt: TIME,
  figuresOn: null,
  period: 1,
  periodEndsAt: TIME,
  bullishCount: 0,
  bearishCount: 0,
  totalVotes: 0,
  verified: { bullish: 0, bearish: 0 },
});

/** The card as voters will see it, in sight while it is typed (R92): whole where it has room, else its picture and words in one line. */
export function LiveCard({ form }: { form: ProjectForm }) {
  const project = cardOf(form);
  return (
    <figure className="sticky top-0 z-10 max-lg:-mx-4 max-lg:border-y max-lg:border-line max-lg:bg-bg max-lg:px-4 max-lg:py-2 md:max-lg:-mx-8 md:max-lg:px-8 lg:top-4">
      <div aria-hidden className="relative isolate h-112 w-full max-lg:hidden">
        <ProjectCard
          project={project}
          depth={0}
          leaving={undefined}
          returned={undefined}
          label="New"
          changedSince={undefined}
          isCovered
          isLazy={false}
          Star={undefined}
        />
      </div>
      <div aria-hidden className="lg:hidden">
        <PictureLine project={project} width={42} className="items-center leading-tight">
          <p title={project.name} className="truncate font-semibold">
            <Name>{project.name}</Name>
          </p>
          <p title={project.description} className="truncate text-sm text-muted">
            {project.category} · {project.description}
          </p>
        </PictureLine>
      </div>
      <figcaption className="mt-2 text-center text-sm text-muted max-lg:sr-only">
        Your card, as voters see it
      </figcaption>
    </figure>
  );
}
