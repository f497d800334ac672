/** A project as its own page reads it. */
export type { ProjectPage as ProjectView } from '#shared/contract/projects.ts';
