import type { Project } from '#shared/contract/types.ts';
import { type ProjectTextField, readProjectText } from '#shared/listings/project-fields.ts';
import { ProjectImage } from '../../components/project/project-image.tsx';
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
    <figure className="sticky top-0 z-10 bg-bg max-lg:-mx-4 lg:top-6 max-lg:border-b max-lg:border-line max-lg:px-4 max-lg:py-3">
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
      <div aria-hidden className="flex h-18 items-center gap-3 lg:hidden">
        <ProjectImage
          src={project.imageUrl}
          name={project.name}
          alt=""
          width={54}
          height={72}
          sizes="54px"
          className="h-18 w-13.5 shrink-0 rounded-md border border-line"
        />
        <div className="min-w-0">
          <p title={project.name} className="truncate font-semibold">
            <Name>{project.name}</Name>
          </p>
          <p className="text-sm text-muted">{project.category}</p>
          <p title={project.description} className="truncate text-sm text-muted">
            {project.description}
          </p>
        </div>
      </div>
      <figcaption className="mt-2 text-center text-sm text-muted max-lg:sr-only">
        Your card, as voters see it
      </figcaption>
    </figure>
  );
}
