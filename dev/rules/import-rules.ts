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
const TEST = /\.test\.tsx?$|\.fixture\.ts$|\/testing\/|^e2e\/|^server\/(?:attacks|properties)\//;

/** Our modules that a folder may import, besides its own. */
interface Layer {
  imports: readonly string[];
  /** Further imports of its tests. */
  inTests?: readonly string[];
}

/**
 * Only scripts, benches, the hammer and tests import dev/ and demo/; nothing imports sandbox/, which is reached by URL.
 */
const LAYERS: Record<string, Layer> = {
  shared: { imports: [] },
  chain: { imports: ['shared'] },
  db: { imports: ['shared'] },
  web: { imports: ['shared', 'chain'] },
  // `npm run verify` imports nothing of the server, so that it runs anywhere.
  verify: { imports: ['shared', 'chain'] },
  server: { imports: ['shared', 'chain', 'db'], inTests: ['dev', 'verify'] },
  demo: { imports: ['shared', 'db'], inTests: ['server'] },
  dev: { imports: ['shared', 'chain', 'db', 'server', 'demo'] },
  // A kernel lock on its folder, which needs nothing else of dev/.
  sandbox: { imports: ['dev/process/lock.ts'], inTests: ['shared', 'chain'] },
  e2e: { imports: ['shared', 'dev/process/free-port.ts'] },
  bench: { imports: ['shared', 'chain', 'db', 'server', 'dev'] },
  hammer: { imports: ['shared', 'chain', 'db', 'server', 'bench', 'dev'] },
  scripts: { imports: ['shared', 'chain', 'db', 'server', 'demo', 'dev', 'bench', 'hammer', 'verify'] },
};

/** Folders whose code may run in the browser, without Node. */
const WITHOUT_NODE = new Set(['shared', 'web']);

const folderOf = (file: string): string => file.split('/')[0] ?? '';
const isWithin = (file: string, place: string): boolean => file === place || file.startsWith(`${place}/`);
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
    return WITHOUT_NODE.has(folder) && !isTest ? `${folder}/ runs in the browser, which has no ${to}` : null;
  }
  if (!isOurs(to)) return null;
  if (!isTest && TEST.test(to) && !['bench', 'hammer'].includes(folder)) return 'only tests import what is for tests';
  const reason = isTest ? null : reasonWithin(from, to);
  if (reason !== null) return reason;
  if (folderOf(to) === folder) return null;
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
