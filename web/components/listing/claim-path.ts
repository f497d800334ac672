import { paths } from '../../lib/paths.ts';

/** A project's page that opens the claim of its listing. */
export const claimPath = (slug: string): string => `${paths.project({ id: 0, slug })}?claim`;
