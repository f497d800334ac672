/**
 * Every screen of the page (S2.1–S2.9): its address, and the start of the document's title, null where the title comes
 * with the data and '' for the product's default. Each is drawn by `web/pages/<name>/<name>-page.tsx`.
 */
export const SCREENS = {
  home: { path: '/', title: '' },
  subscription: { path: '/subscription', title: 'Plans' },
  'submit-project': { path: '/submit-project', title: 'Submit a project' },
  profile: { path: '/profile', title: 'Profile' },
  portfolio: { path: '/portfolio', title: 'Portfolio' },
  project: { path: '/projects/:ref', title: null },
  insights: { path: '/projects/:ref/insights', title: null },
  leaderboard: { path: '/leaderboard', title: 'Project Leaderboard' },
  supply: { path: '/supply', title: 'Snaps supply' },
  trust: { path: '/trust', title: 'Trust' },
  developers: { path: '/developers', title: 'Developers' },
  admin: { path: '/admin', title: 'Admin' },
} as const;

export type ScreenName = keyof typeof SCREENS;

/** The default title. */
export const PRODUCT_TITLE = 'Snapswipe · Swipe. Vote. Earn.';

/** The title of unknown addresses. */
export const NOT_FOUND_TITLE = '404 Page Not Found';

/** 'Portfolio' → 'Portfolio · Snapswipe'; '' → the product's own title. */
export function documentTitle(title: string): string {
  return title === '' ? PRODUCT_TITLE : `${title} · Snapswipe`;
}

/** Description of a screen for search engines and shared links. */
interface ScreenHead {
  /** 'private': shows a visitor only a request to connect, and is not indexed; 'listed': is in the sitemap. */
  kind: 'listed' | 'open' | 'private';
  /** The product's default where it is missing. */
  description?: string;
  /** The page's first requests, which the browser starts early. */
  read?: `/api/${string}`;
}

/** Apart from SCREENS, so that the page does not contain data that only the server needs. */
export const SCREEN_HEADS: Record<ScreenName, ScreenHead> = {
  home: { kind: 'listed' },
  subscription: { kind: 'open', description: 'The plans of Snapswipe: Basic, Pro, and Elite, priced in SUI.' },
  'submit-project': { kind: 'private' },
  profile: { kind: 'private' },
  portfolio: { kind: 'private' },
  // Each project describes itself, and has its own address in the sitemap.
  project: { kind: 'open' },
  insights: { kind: 'private' },
  leaderboard: {
    kind: 'listed',
    description: 'All projects, ranked by their share of bullish votes from Sui wallets, with how many are verified.',
  },
  supply: {
    kind: 'open',
    description: 'All Snaps issued, burned, held, paid, and in circulation, added up from the ledger.',
    read: '/api/supply',
  },
  trust: {
    kind: 'listed',
    description:
      'How votes on Snapswipe are checked: which votes are verified, which are excluded and why, and a public record that anyone can check.',
  },
  developers: {
    kind: 'listed',
    description:
      'The open API of Snapswipe: projects, reviews, trends, and daily figures as JSON, CSV, and Atom, for your programs and pages.',
    read: '/api/openapi.json',
  },
  admin: { kind: 'private' },
};

/** The screens by the pattern of their address, in the order of SCREENS. */
export const screenNames = Object.keys(SCREENS) as ScreenName[];

/** The screen of a path without query, in any case and with or without a trailing slash; null where none exists. */
export function screenAt(path: string): ScreenName | null {
  const parts = path
    .toLowerCase()
    .replace(/(?<=.)\/+$/, '')
    .split('/');
  const fits = (name: ScreenName): boolean => {
    const wanted = SCREENS[name].path.split('/');
    return (
      wanted.length === parts.length &&
      wanted.every((part, i) => part === parts[i] || (part.startsWith(':') && Boolean(parts[i])))
    );
  };
  return screenNames.find(fits) ?? null;
}
