import { type ScreenName, screenNames, SCREENS } from '#shared/screens.ts';

type ProjectLike = { id: number; slug?: string | null };

const fixed = Object.fromEntries(screenNames.map((name) => [name, SCREENS[name].path])) as {
  [N in Exclude<ScreenName, 'insights'>]: (typeof SCREENS)[N]['path'];
};

export const paths = {
  ...fixed,
  project: (project: ProjectLike) => `/projects/${encodeURIComponent(project.slug || String(project.id))}`,
} as const;

const ABSOLUTE = /^https?:\/\//i;

/** An http(s) link as it is, anything else (javascript:, data:, …) as null, whatever the server let through (R26). */
export function safeLink(url: string | null | undefined): string | null {
  return url && ABSOLUTE.test(url.trim()) ? url.trim() : null;
}

/** X profile of a handle, never of a name (R12); a leading @ is removed (S2.33). */
export function xProfile(handle: string): string {
  return `https://x.com/${encodeURIComponent(handle.replace(/^@/, ''))}`;
}

export const external = { target: '_blank', rel: 'noopener nofollow ugc' } as const;

export const CHANGE_HASH = '#change-vote';
