import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { encoder } from '#server/listings/images/encoder.ts';
import type { Services } from '#server/kit/services.ts';
import { counter, type Family, gauge, histogram, single } from './families.ts';

const routeOf = ({ method, route }: { method: string; route: string }) => ({ method, route });

function traffic(app: FastifyInstance): Family[] {
  const routes = app.traffic().filter(({ statuses }) => statuses.size > 0);
  const inFlight = app.admission.inFlight();
  return [
    counter(
      'snapswipe_http_requests_total',
      'Responses by route and status.',
      routes.flatMap((route) =>
        [...route.statuses].map(([status, count]) => [{ ...routeOf(route), status }, count] as const),
      ),
    ),
    histogram(
      'snapswipe_http_request_duration_seconds',
      'From the arrival of a request to the first byte of its response.',
      routes.map((route) => [routeOf(route), route.seconds] as const),
    ),
    gauge('snapswipe_http_requests_in_flight', 'Open requests that wait for the database or the Sui node.', [
      [{ kind: 'read' }, inFlight.read],
      [{ kind: 'act' }, inFlight.act],
    ]),
    single(
      'snapswipe_load_level',
      'Requests refused under load: 0 nothing, 1 anonymous reads, 2 reads, 3 everything but votes.',
      app.admission.level(),
      'max',
    ),
  ];
}

function votes({ votes: engine }: Services): Family[] {
  const { outcomes, batchSeconds, batchVotes, queued, queueLimit, inFlight } = engine.stats();
  return [
    counter(
      'snapswipe_votes_total',
      'Votes by what became of them.',
      [...outcomes].map(([outcome, count]) => [{ outcome }, count] as const),
    ),
    histogram('snapswipe_vote_batch_duration_seconds', 'Time of the database for a batch of votes.', [
      [{}, batchSeconds],
    ]),
    histogram('snapswipe_vote_batch_votes', 'Votes in a batch.', [[{}, batchVotes]]),
    single('snapswipe_vote_queue_length', 'Votes that wait for their batch.', queued),
    single('snapswipe_vote_queue_limit', 'Votes that may wait at the present pace of the database.', queueLimit),
    single('snapswipe_vote_batches_in_flight', 'Batches of votes in flight to the database.', inFlight),
  ];
}

async function database({ pool, config, writeObstacle }: Services): Promise<Family[]> {
  const isWritable = (await writeObstacle()) === null;
  return [
    single(
      'snapswipe_database_writable',
      '0 while nothing can be written: a full disk, or a replica.',
      isWritable ? 1 : 0,
      'min',
    ),
    gauge('snapswipe_database_pool_connections', 'Connections to the database.', [
      [{ state: 'busy' }, pool.totalCount - pool.idleCount],
      [{ state: 'idle' }, pool.idleCount],
    ]),
    single('snapswipe_database_pool_waiting', 'Callers that wait for a connection.', pool.waitingCount),
    single('snapswipe_database_pool_limit', 'Connections that the servers may have.', config.databasePool),
  ];
}

function memory({ cache }: Services): Family[] {
  const { entries, bytes } = cache.usage();
  const { hits, misses } = cache.requests();
  return [
    counter('snapswipe_cache_requests_total', 'Cached reads by whether their value was in memory.', [
      [{ result: 'hit' }, hits],
      [{ result: 'miss' }, misses],
    ]),
    single('snapswipe_cache_entries', 'Values in memory.', entries),
    single('snapswipe_cache_bytes', 'Memory of these values.', bytes),
    single(
      'snapswipe_cache_usable',
      '0 where a server receives no change notifications and reads everything from the database.',
      cache.isUsable() ? 1 : 0,
      'min',
    ),
  ];
}

function chain({ chainCalls }: Services): Family[] {
  const methods = [...chainCalls];
  return [
    counter(
      'snapswipe_chain_calls_total',
      'Calls of the Sui node by method and gRPC status.',
      methods.flatMap(([method, { outcomes }]) =>
        [...outcomes].map(([status, count]) => [{ method, status }, count] as const),
      ),
    ),
    histogram(
      'snapswipe_chain_call_duration_seconds',
      'Time of the Sui node for a call.',
      methods.map(([method, { seconds }]) => [{ method }, seconds] as const),
    ),
  ];
}

function createProcessFamilies(): () => Promise<Family[]> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return async () => (await registry.getMetricsAsJSON()) as unknown as Family[];
}

export function createOwnFamilies(app: FastifyInstance, services: Services): () => Promise<Family[]> {
  const ofProcess = createProcessFamilies();
  return async () => [
    ...(await ofProcess()),
    ...traffic(app),
    ...votes(services),
    ...(await database(services)),
    ...memory(services),
    ...chain(services),
    counter('snapswipe_pictures_decoded_total', 'Uploaded pictures that were decoded.', [[{}, encoder.begun()]]),
    single('snapswipe_processes', 'Server processes that this scrape adds up.', 1),
    single('snapswipe_processes_wanted', 'Server processes that share the port.', services.config.workers, 'max'),
  ];
}
