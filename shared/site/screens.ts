import type { DailyDeck } from '../contract/daily-deck.ts';
import type { getProject, ListedProject } from '../contract/projects.ts';
import type { RecordSummary } from '../contract/record.ts';
import type { Standing, Trust } from '../contract/standing.ts';
import type { Project, VotingStatus } from '../contract/types.ts';
import type { Activity } from '../contract/users.ts';
import type { Withdrawal } from '../contract/withdrawals.ts';
import type { ReceivedOf } from '../endpoint.ts';
import type { Page } from './pages.ts';
import type { Sort } from '../listings/sort-names.ts';

/** First data of the screens that the server draws: it is in the HTML, as fresh as the API's. */
export interface FirstData {
  home: { feed: Project[]; votingStatus: VotingStatus; daily?: DailyDeck; dealt?: Project };
  /** What a signed-in user's votes count for, and the first rows of the user's lists. */
  portfolio: {
    standing: Standing;
    withdrawals: Page<Withdrawal> & { paused: boolean };
    activity: Page<Activity>;
  };
  project: ReceivedOf<typeof getProject>;
  leaderboard: { sort: Sort; rows: ListedProject[] };
  trust: { figures: Trust; record: RecordSummary };
}

interface Screen {
  path: string;
  /** Start of the document's title: null if it comes with the data, '' for the product's default. */
  title: string | null;
  /** True if its first paint comes from the server. */
  serverDrawn?: true;
  /** True if it shows own data only, and is hidden when the session ends. */
  private?: true;
}

/** Every screen of the page (S2.1–S2.9). Each is drawn by `web/pages/<name>/<name>-page.tsx`. */
export const SCREENS = {
  home: { path: '/', title: '', serverDrawn: true },
  subscription: { path: '/subscription', title: 'Plans' },
  'submit-project': { path: '/submit-project', title: 'Submit a project' },
  profile: { path: '/profile', title: 'Profile', private: true },
  portfolio: { path: '/portfolio', title: 'Portfolio', private: true, serverDrawn: true },
  project: { path: '/projects/:ref', title: null, serverDrawn: true },
  insights: { path: '/projects/:ref/insights', title: null, private: true },
  leaderboard: { path: '/leaderboard', title: 'Project Leaderboard', serverDrawn: true },
  supply: { path: '/supply', title: 'Snaps supply' },
  trust: { path: '/trust', title: 'Trust', serverDrawn: true },
  developers: { path: '/developers', title: 'Developers' },
  admin: { path: '/admin', title: 'Admin', private: true },
} as const satisfies Record<string, Screen> & Record<keyof FirstData, Screen & { serverDrawn: true }>;

export type ScreenName = keyof typeof SCREENS;

export const PRODUCT_TITLE = 'Snapswipe · Swipe. Vote. Earn.';
export const NOT_FOUND_TITLE = '404 Page Not Found';

/** 'Portfolio' → 'Portfolio · Snapswipe'; '' → the product's own title. */
export function documentTitle(title: string): string {
  return title === '' ? PRODUCT_TITLE : `${title} · Snapswipe`;
}

interface ScreenHead {
  isListed?: true;
  /** The description; the product's default if it is missing. */
  description?: string;
  /** The page's first requests, which the browser starts early. */
  read?: `/api/${string}`;
}

/**
 * Apart from SCREENS, so that the page does not contain data that only the server needs. A screen without a line is not indexed: it shows a
 * visitor only a request to connect. Each project describes itself.
 */
export const SCREEN_HEADS: Partial<Record<ScreenName, ScreenHead>> = {
  home: { isListed: true },
  subscription: { description: 'The plans of Snapswipe: Basic, Pro, and Elite, priced in SUI.' },
  leaderboard: {
    isListed: true,
    description: 'All projects, ranked by their share of bullish votes from Sui wallets, with how many are verified.',
  },
  supply: {
    description: 'All Snaps issued, burned, held, paid, and in circulation, added up from the ledger.',
    read: '/api/supply',
  },
  trust: {
    isListed: true,
    description:
      'How votes on Snapswipe are checked: which votes are verified, which are excluded and why, and a public record that anyone can check.',
  },
  developers: {
    isListed: true,
    description:
      'The open API of Snapswipe: projects, reviews, trends, and daily figures as JSON, CSV, and Atom, for your programs and pages.',
    read: '/api/openapi.json',
  },
};

export const screenNames = Object.keys(SCREENS) as ScreenName[];
export const drawnScreens = screenNames.filter((name): name is keyof FirstData => 'serverDrawn' in SCREENS[name]);

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
