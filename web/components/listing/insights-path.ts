import { paths } from '../../lib/paths.ts';

export const insightsPath = (project: { id: number; slug: string }): string => `${paths.project(project)}/insights`;

export const welcomePath = (slug: string): string => `${insightsPath({ id: 0, slug })}?welcome`;
