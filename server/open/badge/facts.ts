import type { BadgeFacts } from '#shared/badge/figures.ts';
import { mentionedChange } from '#shared/listings/identity.ts';
import { type FoundProject, votesOf } from '#server/listings/projects/queries.ts';

export const badgeFacts = (row: FoundProject, now: Date): BadgeFacts => ({
  ...votesOf(row),
  now: row.now,
  changed: mentionedChange(row, row.identityChanges ?? []),
  expiresAt: row.expiresAt.toISOString(),
  hasEnded: row.expiresAt <= now,
  day: row.figuresOn,
});
