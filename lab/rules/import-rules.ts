/**
 * One npm package; its boundaries are these rules, checked by lint. npm workspaces would enforce the same boundaries with one manifest
 * each and a build step between packages.
 *
 * The server is divided into rooms without circles, each with its doors. Orders import projects and never the reverse, so six endpoints of
 * the contracts of projects and payments are implemented in `server/money/orders/routes.ts`.
 */
import type { Import } from './import-graph.ts';

/** A test, or code that only tests use: they may import the tested code, and Node. */
const TEST = /\.test\.tsx?$|\.fixture\.ts$|\/testing\/|^lab\/(?:e2e|attacks|properties)\//;

/** Our modules that a folder may import, besides its own. */
interface Layer {
  imports: readonly string[];
  inTests?: readonly string[];
}

/**
 * Import boundaries between the top folders: the product (shared, chain, db, server, web), record/ for strangers who audit it, ops/ for
 * operators, lab/ for developers. The product imports neither ops/ nor lab/, and ops/ never lab/. A subfolder with separate rules is named
 * by its path.
 */
const LAYERS: Record<string, Layer> = {
  shared: { imports: [] },
  chain: { imports: ['shared'] },
  db: { imports: ['shared'] },
  web: { imports: ['shared', 'chain', 'record'] },
  // `npm run verify` imports nothing of the server, so that it runs anywhere.
  record: { imports: ['shared', 'chain'] },
  server: { imports: ['shared', 'chain', 'db', 'record'], inTests: ['ops', 'lab', 'packages/sandbox/testing'] },
  ops: { imports: ['shared', 'chain', 'db', 'server', 'record'], inTests: ['lab'] },
  lab: { imports: ['shared', 'chain', 'db', 'server', 'record', 'ops', 'lab', 'packages/sandbox/testing'] },
  // A separate chain, reached by URL: it imports none of our modules.
  'packages/sandbox': { imports: [], inTests: ['shared', 'chain', 'lab/testing/book.ts'] },
  'lab/e2e': {
    imports: [
      'shared',
      'record',
      'ops/install/engines.ts',
      'ops/process/free-port.ts',
      'lab/push/browser.ts',
      'lab/demo/projects.ts',
    ],
  },
  'lab/demo': { imports: ['shared', 'db', 'server/record/close-days.ts'], inTests: ['server', 'lab/testing'] },
  scripts: { imports: ['shared', 'chain', 'db', 'server', 'record', 'ops', 'lab'] },
};
/** Folders that no other module imports, except their own tests. */
const CLOSED = ['lab/e2e', 'lab/load/attacks', 'lab/properties', 'scripts'];

/** Folders whose code may run in the browser, without Node. */
const WITHOUT_NODE = ['shared', 'web', 'record/log', 'record/entries', 'record/proof'];

const isWithin = (file: string, place: string): boolean => file === place || file.startsWith(`${place}/`);
const folderOf = (file: string): string =>
  Object.keys(LAYERS).findLast((place) => isWithin(file, place)) ?? file.split('/')[0] ?? '';
const isOurs = (target: string): boolean => folderOf(target) in LAYERS && target.includes('/');

/** The room of a server module ('voting'), or the page of a page module ('home'); null for any other file. */
const roomOf = (file: string): string | null => /^server\/([^/]+)\//.exec(file)?.[1] ?? null;
const pageOf = (file: string): string | null => /^web\/pages\/([^/]+)\//.exec(file)?.[1] ?? null;

/** Rooms that every other one may import. The kit imports no room, the others only the kit. */
const OPEN_ROOMS = new Set(['kit', 'books', 'chain']);

/** Modules of a room that other rooms may import, and why. Composition roots import everything. */
export const DOORS: Record<string, Record<string, string>> = {
  figures: {
    'insights/visitor.ts': 'badges count their views',
    'standing/apply-rhythm.ts': 'notes of rhythms are kept until they are applied',
    'standing/decide-week.ts': 'a Sunday is closed with the standing that it decides',
    'standing/networks.ts': 'sign-in counts by the same hashed networks',
    'standing/plan.ts': 'a batch has the readings of its days',
    'standing/queries.ts': 'first data of the trust page',
    'standing/risk.ts': 'payouts and appeals show how a wallet votes',
    'standing/site-days.ts': 'the withdrawal rule counts the same days',
    'totals/close-time.ts': 'a batch ends where the totals may',
    'totals/cursor.ts': 'what is counted up to when',
    'totals/move.ts': 'a day is closed with the totals of its end',
    'totals/reach.ts': 'a closed day has its reach',
    'totals/show.ts': 'differences between totals by name',
    'totals/slices.ts': 'long reads in slices of users',
    'totals/tally.ts': 'the one rule of counting',
  },
  listings: {
    'images/intake.ts': 'every picture comes in here',
    'images/unused.ts': 'pictures go with their account',
    'ownership/ask-versions.ts': 'look-ups of packages that no listing names',
    'ownership/packages.ts': 'an order learns the package that it names',
    'ownership/take-over.ts': 'claims that wait for a person',
    'projects/active.ts': 'which listings are public',
    'projects/appeal.ts': 'one form of an appeal',
    'projects/feed-hash.ts': 'the daily deck is drawn like the feed',
    'projects/reasons.ts': 'reasons beside insights',
    'projects/listed-already.ts': 'listings that a form names again',
    'projects/listing-fee.ts': 'the fee of a listing in the panel',
    'projects/leads-away.ts': 'texts that lead away',
    'projects/look-alike-keys.ts': 'names that look alike',
    'projects/look-alikes.ts': 'names that look alike',
    'projects/marks.ts': 'marks of names that look alike, set by orders and removed in the panel',
    'projects/ordered.ts': 'the price of the first place on the trust page',
    'projects/queries.ts': 'cards and pages of projects',
    'projects/ranked.ts': 'the card of the leaderboard',
    'projects/slugs.ts': 'addresses of projects',
    'projects/verified-order.ts': 'first data of the leaderboard',
    'projects/withheld.ts': 'texts of a marked listing in badges and heads',
    'search/list.ts': 'first data of search',
    'versions/limit.ts': 'orders may not rename without end',
  },
  money: { 'withdrawals/queries.ts': 'first data of the portfolio' },
  panel: { 'admin/roles.ts': 'decisions about money name a role' },
  people: {
    'activity/queries.ts': 'first data of the portfolio',
    'auth/actions.ts': 'first data of a signed-in page',
    'users/changeable-from.ts': 'when a vote can be changed',
    'users/former-wallets.ts': 'which keys find the totals of deleted accounts',
    'users/consents.ts': 'a payment needs the agreed terms',
    'users/queries.ts': 'the counters of a voter',
  },
  record: { 'summary.ts': 'first data of the trust page' },
  voting: {
    'daily-deck/actions.ts': 'first data of the home page',
    'votes/own-vote.ts': "first data of a project's page",
  },
};
function isDoor(file: string): boolean {
  const room = roomOf(file);
  if (room === null || OPEN_ROOMS.has(room)) return true;
  return file.slice(`server/${room}/`.length) in (DOORS[room] ?? {});
}

/** Reason for forbidding an import; null if it is allowed. docs/build/architecture.md explains the same rules. */
export function reasonAgainst({ from, to }: Import): string | null {
  const folder = folderOf(from);
  const isTest = TEST.test(from);
  if (to.startsWith('node:')) {
    const place = isTest ? undefined : WITHOUT_NODE.find((each) => isWithin(from, each));
    return place === undefined ? null : `${place}/ runs in the browser, which has no ${to}`;
  }
  if (!isOurs(to)) return null;
  if (!isTest && TEST.test(to) && !isWithin(from, 'lab')) return 'only tests import what is for tests';
  const reason = isTest ? null : reasonWithin(from, to);
  if (reason !== null) return reason;
  if (folderOf(to) === folder) return null;
  if (CLOSED.some((place) => isWithin(to, place))) return `nothing imports ${folderOf(to)}/`;
  const { imports = [], inTests = [] } = LAYERS[folder] ?? {};
  const allowed = isTest ? [...imports, ...inTests] : imports;
  return allowed.some((place) => isWithin(to, place)) ? null : `${folder}/ does not import ${folderOf(to)}/`;
}

function reasonWithin(from: string, to: string): string | null {
  if (isWithin(from, 'web/ui') && !isWithin(to, 'web/ui')) return 'web/ui/ knows nothing of the product';
  if (pageOf(from) && pageOf(to) && pageOf(from) !== pageOf(to)) return 'a page does not import another page';
  const [room, other] = [roomOf(from), roomOf(to)];
  if (room === null || other === null || room === other) return null;
  if (room === 'kit' || (OPEN_ROOMS.has(room) && other !== 'kit'))
    return `what every room imports does not import ${other}/`;
  if (!isDoor(to)) return `it is no door of server/${other}/ (DOORS)`;
  return null;
}

/** Whether a module takes part in circles. Tests do not, because nothing imports a test. */
export const isProduct = (file: string): boolean => !TEST.test(file);

/**
 * The part of the repository that a module belongs to, for circles between folders: 'server/votes', 'web/pages/home'.
 * Files directly in a top folder form a separate part with the composition roots, which import everything.
 */
export function partOf(file: string): string {
  const steps = file.split('/');
  if (steps.length === 2) return file;
  return steps.slice(0, /^web\/(?:pages|components)\/[^/]+\//.test(file) ? 3 : 2).join('/');
}
