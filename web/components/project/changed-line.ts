import type { Project } from '#shared/contract/types.ts';
import { changedText } from '#shared/listings/change-text.ts';
import { plural } from '#shared/numbers/plural.ts';

export const changedLine = ({ changed, totalVotes }: Pick<Project, 'changed' | 'totalVotes'>): string | null =>
  changed ? changedText(totalVotes, changed) : null;

export const timesChanged = (times: number): string =>
  times === 1 ? 'Changed once' : `Changed ${plural(times, 'time')}`;
