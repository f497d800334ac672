import type { Project } from '#shared/contract/types.ts';
import { changedText } from '#shared/identity.ts';

/**
 * How many votes were cast before a change of identity (R60), in the place of other text while it matters. Null where no
 * change is mentioned.
 */
export const changedLine = ({ changed, totalVotes }: Pick<Project, 'changed' | 'totalVotes'>): string | null =>
  changed ? changedText(totalVotes, changed) : null;
