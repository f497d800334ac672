import type { Project } from '#shared/contract/types.ts';
import { ProjectCard } from '../../deck/project-card.tsx';
import type { ProjectForm } from '../../payments/project-draft.ts';

const TIME = '2026-01-01T00:00:00.000Z';

const cardOf = ({ name, category, description, imageUrl, twitterHandle, website }: ProjectForm): Project => ({
  id: 0,
  slug: '',
  name: name.trim() || 'Your project',
  category: category || 'Category',
  description: description.trim() || 'Your description',
  imageUrl,
  twitterHandle: twitterHandle.trim().replace(/^@/, '') || 'yourhandle',
  website: website.trim() || null,
  coinType: null,
  packageId: null,
  identity: 1,
  submittedBy: '',
  transactionHash: null,
  listing: { source: 'paid', since: TIME, coinSource: null, ownership: 'none', subject: null, ownershipSince: null },
  createdAt: TIME,
  expiresAt: TIME,
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
