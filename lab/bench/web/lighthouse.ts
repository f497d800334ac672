import { loadLighthouse, type Report } from './load-lighthouse.ts';

/** Minimum scores of every page, of 100. */
export const GOALS = [
  { id: 'performance', goal: 95 },
  { id: 'accessibility', goal: 100 },
  { id: 'best-practices', goal: 95 },
  { id: 'seo', goal: 95 },
] as const;

export type Category = (typeof GOALS)[number]['id'];

export interface Audited {
  path: string;
  /** Scores of 100, from the median run by performance. */
  scores: Record<Category, number>;
  /** First contentful paint: until then the screen is blank. */
  fcpMs: number;
  lcpMs: number;
  tbtMs: number;
  cls: number;
  /** Lighthouse's own measure of this machine at that moment; a quiet desktop has 1500 and more. */
  machineSpeed: number;
  /** Audits that cost points, the heaviest first. */
  findings: string[];
}

export interface MeasureOptions {
  origin: string;
  path: string;
  runs: number;
  chromium: string;
  /** Sent with every request, such as a session's. */
  cookie?: string;
}

const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Visits a page `runs` times with an empty cache, as Lighthouse's phone, and returns the median visit. */
export async function measurePage({ origin, path, runs, chromium, cookie }: MeasureOptions): Promise<Audited> {
  const results: Report[] = [];
  for (let run = 0; run < runs; run += 1) results.push(await audit(`${origin}${path}`, chromium, cookie));
  results.sort((a, b) => performanceOf(a) - performanceOf(b));
  const median = results[Math.floor((runs - 1) / 2)];
  if (!median) throw new Error('at least one run is needed');
  return describe(path, median);
}

const performanceOf = (result: Report): number => result.categories['performance']?.score ?? 0;

/** On a busy machine the beginning of the browser's trace is occasionally missing. */
const ATTEMPTS = 3;

async function audit(url: string, chromium: string, cookie?: string): Promise<Report> {
  for (let attempt = 1; ; attempt += 1) {
    const result = await visit(url, chromium, cookie);
    if (!result.runtimeError) return result;
    if (attempt === ATTEMPTS) throw new Error(`Lighthouse could not measure ${url}: ${result.runtimeError.message}`);
  }
}

/** A new browser for each visit, so that nothing is cached. */
async function visit(url: string, chromium: string, cookie?: string): Promise<Report> {
  const lighthouse = await loadLighthouse();
  const browser = await lighthouse.launch({ chromePath: chromium, chromeFlags: FLAGS, logLevel: 'silent' });
  try {
    const headers = cookie === undefined ? {} : { extraHeaders: { Cookie: cookie } };
    return await lighthouse.audit(url, { port: browser.port, logLevel: 'silent', output: 'json', ...headers });
  } finally {
    browser.kill();
  }
}

function describe(path: string, result: Report): Audited {
  const scores = Object.fromEntries(
    GOALS.map(({ id }) => [id, Math.round((result.categories[id]?.score ?? 0) * 100)]),
  ) as Record<Category, number>;
  const value = (id: string): number => result.audits[id]?.numericValue ?? 0;
  return {
    path,
    scores,
    fcpMs: value('first-contentful-paint'),
    lcpMs: value('largest-contentful-paint'),
    tbtMs: value('total-blocking-time'),
    cls: value('cumulative-layout-shift'),
    machineSpeed: Math.round(result.environment.benchmarkIndex),
    findings: findingsOf(result),
  };
}

/** Audits of the four categories that are not passed, with Lighthouse's explanation. */
function findingsOf({ audits, categories }: Report): string[] {
  const weighed = GOALS.flatMap(({ id, goal }) => {
    const category = categories[id];
    if (!category || (category.score ?? 0) * 100 >= goal) return [];
    return category.auditRefs.filter(({ weight }) => weight > 0);
  });
  return weighed.flatMap(({ id }) => {
    const audit = audits[id];
    if (!audit || audit.score === null || audit.score >= 0.9) return [];
    return [`${audit.title}${audit.displayValue ? `: ${audit.displayValue}` : ''}`];
  });
}
