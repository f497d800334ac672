import type { Project } from '#shared/contract/types.ts';
import { changedText } from '#shared/identity.ts';

export const changedLine = ({ changed, totalVotes }: Pick<Project, 'changed' | 'totalVotes'>): string | null =>
  changed ? changedText(totalVotes, changed) : null;
