import type { Project } from '#shared/contract/types.ts';
import { type ProjectTextField, readProjectText } from '#shared/listings/project-fields.ts';
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

/** The card as voters will see it, while it is typed (R92). */
export function LiveCard({ form }: { form: ProjectForm }) {
  return (
    <figure className="grid content-start gap-2">
      <div aria-hidden className="relative isolate mx-auto h-112 w-full max-w-xs">
        <ProjectCard
          project={cardOf(form)}
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
      <figcaption className="text-center text-sm text-muted">Your card, as voters see it</figcaption>
    </figure>
  );
}
