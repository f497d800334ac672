import { sql } from 'kysely';
import { allEndpoints } from '#shared/contract/all.ts';
import type { EndpointSpec } from '#shared/endpoint.ts';
import type { Lifecycle } from '#ops/process/lifecycle.ts';
import { findDifferencesAt } from '../bench/exactness.ts';
import { type Actor, type Cast, createCast, knownTo } from './cast.ts';
import { changesBetween, fingerprintsFor, type Role } from './fingerprints.ts';
import { findOffence } from './check-response.ts';
import { type FuzzRequest, makeRequest, targetOf, type Target } from './make-request.ts';
import { type Random, randomOf } from './random.ts';
import { send } from './send.ts';
import { WITHOUT_RATE_LIMITS } from '../settings.ts';
import { type Stack, startStack } from './stack.ts';

export interface FuzzResult {
  requests: number;
  /** Responses by status. */
  statuses: Map<number, number>;
  /** Most interesting first: the problem, and the request that shows it. */
  offences: string[];
  offenceCount: number;
  /** Endpoints that accepted at least one request. */
  reached: Set<string>;
  slowestMs: number;
  peakMemoryMb: number;
}

const BATCH = 250;
const AT_ONCE = 16;
const SHOWN = 20;
/** Share of requests that may be answered with 'come back later'. */
const MAX_BUSY_SHARE = 0.02;
const ROLES: readonly [Role, ...Role[]] = [
  'nobody',
  'user',
  'owner',
  'admin',
  'payer',
  'moderator',
  'user',
  'owner',
  'admin',
];
/** These end data that the rest of the batch needs, so they come last in it. */
const ENDS_SESSION = new Set(['auth.signOut', 'auth.endSessions', 'auth.endSession', 'admin.adminLogout']);

/** Every response is compared with the contract. */
const SETTINGS = { ...WITHOUT_RATE_LIMITS, NODE_ENV: 'test' };

/** The request as a shell command, with the session that it needs. */
function asCurl({ method, path, headers, body }: FuzzRequest): string {
  const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const named = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  const sent = body === null ? [] : ['--data-binary', quote(body.length > 2000 ? `${body.slice(0, 2000)}…` : body)];
  return ['curl', '-X', method, ...named, ...sent, quote(`$ORIGIN${path}`)].join(' ');
}

/** Whether the role passes the check of access. */
function isOpenTo({ access, roles = [] }: EndpointSpec, role: Role): boolean {
  if (access === 'public' || role === 'admin') return true;
  if (access === 'admin' || access === 'role') return roles.some((granted) => granted === role);
  return role !== 'nobody';
}

/** Sends seeded requests to every endpoint as each role and checks every response, and the rows of the others. */
class Fuzz {
  readonly result: FuzzResult = {
    requests: 0,
    statuses: new Map(),
    offences: [],
    offenceCount: 0,
    reached: new Set(),
    slowestMs: 0,
    peakMemoryMb: 0,
  };
  private readonly stack: Stack;
  private readonly cast: Cast;
  private readonly seed: number;
  private readonly targets: [Target, ...Target[]];

  constructor(stack: Stack, cast: Cast, seed: number) {
    this.stack = stack;
    this.cast = cast;
    this.seed = seed;
    this.targets = allEndpoints().map(targetOf) as [Target, ...Target[]];
  }

  private report(what: string, detail: string): void {
    this.result.offenceCount += 1;
    if (this.result.offences.length < SHOWN) this.result.offences.push(`${what}\n    ${detail}`);
  }

  private async sendOne(
    n: number,
    request: FuzzRequest,
    actor: Actor,
    headers: Record<string, string>,
  ): Promise<number> {
    const { result, stack } = this;
    const response = await send(stack.servers[n % 2 === 0 ? 0 : 1].url, request, headers);
    result.requests += 1;
    result.slowestMs = Math.max(result.slowestMs, response.ms);
    result.statuses.set(response.status, (result.statuses.get(response.status) ?? 0) + 1);
    if (response.status >= 200 && response.status < 300) result.reached.add(request.endpoint);
    const offence = findOffence(request, response);
    if (offence !== null)
      this.report(`request ${n} as ${actor.role}, ${request.endpoint}: ${offence}`, asCurl(request));
    return response.status;
  }

  /** Any endpoint, but more often one that the role may call. */
  private pickTarget(random: Random, role: Role): Target {
    const picked = random.pick(this.targets);
    const isShut = !isOpenTo(picked.endpoint, role);
    return isShut && random.chance(0.75) ? this.pickTarget(random, role) : picked;
  }

  /** Requests `first`…, all of one role; rows that this role may not change are compared afterwards. */
  async batch(first: number, count: number, role: Role): Promise<void> {
    const { db } = this.stack.client;
    const actor = this.cast.actors[role];
    await restore(this.stack);
    const headers = await actor.headers();
    const known = knownTo(actor, this.cast.known);
    const requests = Array.from({ length: count }, (_, at) => {
      const random = randomOf(this.seed, first + at);
      return { n: first + at, request: makeRequest(random, this.pickTarget(random, role), known) };
    });
    const lasts = requests.filter(({ request }) => ENDS_SESSION.has(request.endpoint));
    const queue = [...requests.filter(({ request }) => !ENDS_SESSION.has(request.endpoint)), ...lasts];
    const before = await fingerprintsFor(db, role, actor.id);
    const changing: string[] = [];
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const status = await this.sendOne(next.n, next.request, actor, headers);
        if (status >= 200 && status < 300 && next.request.method !== 'GET') changing.push(asCurl(next.request));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const changed = changesBetween(before, await fingerprintsFor(db, role, actor.id));
    if (changed.length > 0) {
      const suspects = changing.length > 0 ? changing.slice(0, 40).join('\n    ') : 'no write of this batch succeeded';
      this.report(`requests ${first}–${first + count - 1} as ${role}: changed ${changed.join(', ')}`, suspects);
    }
  }

  async run(total: number, log: (line: string) => void): Promise<void> {
    for (let first = 0, at = 0; first < total; first += BATCH, at += 1) {
      await this.batch(first, Math.min(BATCH, total - first), ROLES[at % ROLES.length] ?? 'nobody');
      if (at % 20 === 19) log(`  ${first + BATCH} of ${total} requests, ${this.result.offenceCount} offences`);
    }
    await this.compareBooks();
  }

  private async compareBooks(): Promise<void> {
    const { result, stack } = this;
    for (const line of await findDifferencesAt(stack.database.url))
      this.report('the books contradict themselves', line);
    const busy = result.statuses.get(503) ?? 0;
    if (busy > result.requests * MAX_BUSY_SHARE) this.report('too often busy', `${busy} responses of 503`);
    result.peakMemoryMb = Math.max(...(await Promise.all(stack.servers.map((server) => server.peakMemoryMb()))));
  }
}

/**
 * Restores allowances that an earlier batch as admin or voter has used up, so that later ones still reach the code
 * behind them.
 */
async function restore({ client: { db } }: Stack): Promise<void> {
  await sql`UPDATE config SET config_value = 'false' WHERE config_value <> 'false'`.execute(db);
  await sql`UPDATE projects SET hidden_at = NULL, hidden_reason = NULL WHERE hidden_at IS NOT NULL`.execute(db);
  await sql`UPDATE reviews SET hidden_at = NULL, hidden_reason = NULL WHERE hidden_at IS NOT NULL`.execute(db);
  await sql`UPDATE user_stats SET window_votes = 0 WHERE window_votes > 0`.execute(db);
  await sql`DELETE FROM admin_login_attempts`.execute(db);
}

export async function runFuzz(
  lifecycle: Lifecycle,
  options: { requests: number; seed: number; log: (line: string) => void },
): Promise<FuzzResult> {
  const stack = await startStack(lifecycle, { durable: false, env: SETTINGS });
  const fuzz = new Fuzz(stack, await createCast(stack, options.seed), options.seed);
  await fuzz.run(options.requests, options.log);
  return fuzz.result;
}
