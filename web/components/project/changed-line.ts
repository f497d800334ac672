import type { Project } from '#shared/contract/types.ts';
import { changedText } from '#shared/change-text.ts';

export const changedLine = ({ changed, totalVotes }: Pick<Project, 'changed' | 'totalVotes'>): string | null =>
  changed ? changedText(totalVotes, changed) : null;
