export type { ProjectPage as ProjectView } from '#shared/contract/projects.ts';
