import type { Project } from '#shared/contract/types.ts';

/** A project as its own page reads it. */
export type ProjectView = Project & { bullishPercentage: number; hidden: boolean };
