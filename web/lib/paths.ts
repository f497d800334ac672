import { type ScreenName, screenNames, SCREENS } from '#shared/site/screens.ts';

type ProjectLike = { id: number; slug?: string | null };

const fixed = Object.fromEntries(screenNames.map((name) => [name, SCREENS[name].path])) as {
  [N in Exclude<ScreenName, 'insights'>]: (typeof SCREENS)[N]['path'];
};

export const paths = {
  ...fixed,
  project: (project: ProjectLike) => `/projects/${encodeURIComponent(project.slug || String(project.id))}`,
} as const;

const ABSOLUTE = /^https?:\/\//i;

export function safeLink(url: string | null | undefined): string | null {
  return url && ABSOLUTE.test(url.trim()) ? url.trim() : null;
}

export function xProfile(handle: string): string {
  return `https://x.com/${encodeURIComponent(handle.replace(/^@/, ''))}`;
}

export const external = { target: '_blank', rel: 'noopener nofollow ugc' } as const;

export const CHANGE_HASH = '#change-vote';
