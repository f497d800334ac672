import { paths } from '../../lib/paths.ts';

/** Apart from the other paths: links to it are on pages that few users have, and those are in the first JavaScript. */
export const insightsPath = (project: { id: number; slug: string }): string => `${paths.project(project)}/insights`;

/** With the link, the badge and what happens next, as after paying. */
export const welcomePath = (slug: string): string => `${insightsPath({ id: 0, slug })}?welcome`;
