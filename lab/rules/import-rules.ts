/**
 * One npm package; its boundaries are these rules, checked by lint. npm workspaces would enforce the same boundaries with one manifest
 * each and a build step between packages.
 *
 * The server has no circles: the kit imports no subject, orders import payments and never the reverse. So six endpoints of the contracts
 * of projects and payments are implemented in `server/orders/routes.ts`. Rejected: keeping them in the folders of their contracts
 * (`projects/routes.ts` would import orders, which import projects), and passing functions from the composition root into route lists
 * (one more hop for every reader).
 */
import type { Import } from './import-graph.ts';

/** A test, or code that only tests use: they may import the tested code, and Node. */
const TEST = /\.test\.tsx?$|\.fixture\.ts$|\/testing\/|^lab\/(?:e2e|attacks|properties)\//;

/** Our modules that a folder may import, besides its own. */
interface Layer {
  imports: readonly string[];
  /** Further imports of its tests. */
  inTests?: readonly string[];
}

/**
 * The walls between the wings: the product (shared, chain, db, server, web), record/ for strangers who audit it, ops/ for operators, lab/ for
 * developers. The product imports neither ops/ nor lab/, and ops/ never lab/. A part of a wing with rules of its own is named by its path.
 */
const LAYERS: Record<string, Layer> = {
  shared: { imports: [] },
  chain: { imports: ['shared'] },
  db: { imports: ['shared'] },
  web: { imports: ['shared', 'chain', 'record'] },
  // `npm run verify` imports nothing of the server, so that it runs anywhere.
  record: { imports: ['shared', 'chain'] },
  server: { imports: ['shared', 'chain', 'db', 'record'], inTests: ['ops', 'lab'] },
  ops: { imports: ['shared', 'chain', 'db', 'server', 'record'], inTests: ['lab'] },
  lab: { imports: ['shared', 'chain', 'db', 'server', 'record', 'ops', 'lab'] },
  // A chain of its own, reached by URL: a kernel lock on its folder is all that it takes of ours.
  'lab/sandbox': { imports: ['ops/process/lock.ts'], inTests: ['shared', 'chain', 'lab/testing/own-coins.ts'] },
  'lab/e2e': { imports: ['shared', 'record', 'ops/install/engines.ts', 'ops/process/free-port.ts'] },
  'lab/demo': { imports: ['shared', 'db'], inTests: ['server', 'lab/testing'] },
  scripts: { imports: ['shared', 'chain', 'db', 'server', 'record', 'ops', 'lab'] },
};
/** Reached by URL, by the browser, or by their tests alone. */
const CLOSED = ['lab/sandbox', 'lab/e2e', 'lab/attacks', 'lab/properties', 'scripts'];

/** Folders whose code may run in the browser, without Node. */
const WITHOUT_NODE = ['shared', 'web', 'record/log', 'record/entries', 'record/proof'];

const isWithin = (file: string, place: string): boolean => file === place || file.startsWith(`${place}/`);
/** The longest of the places above that a file is in; its top folder where there is none. */
const folderOf = (file: string): string =>
  Object.keys(LAYERS).findLast((place) => isWithin(file, place)) ?? file.split('/')[0] ?? '';
const isOurs = (target: string): boolean => folderOf(target) in LAYERS && target.includes('/');

/** The subject of a server's module ('votes'), or the page of a page's ('home'); null for any other. */
const subjectOf = (file: string): string | null => /^server\/([^/]+)\//.exec(file)?.[1] ?? null;
const pageOf = (file: string): string | null => /^web\/pages\/([^/]+)\//.exec(file)?.[1] ?? null;

/** Modules of the server that every subject may import, and that may import each other. */
const KIT = ['server/http', 'server/cache', 'server/services.ts', 'server/config.ts'];
const isKit = (file: string): boolean => KIT.some((place) => isWithin(file, place));

/** Reason for forbidding an import; null where it is allowed. docs/build/architecture.md explains the same rules. */
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

/** The rules for a part of a folder. */
function reasonWithin(from: string, to: string): string | null {
  if (isWithin(from, 'web/ui') && !isWithin(to, 'web/ui')) return 'web/ui/ knows nothing of the product';
  if (pageOf(from) && pageOf(to) && pageOf(from) !== pageOf(to)) return 'a page does not import another page';
  if (subjectOf(from) && subjectOf(from) !== subjectOf(to) && to.endsWith('/routes.ts')) {
    return 'a subject does not import the routes of another';
  }
  if (isKit(from) && subjectOf(to) && !isKit(to)) {
    return 'what every subject imports does not import a subject';
  }
  return null;
}

/**
 * Whether a module takes part in circles. Tests do not: they import their users in effect, and nothing imports a test.
 */
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
