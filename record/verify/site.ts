import { z } from 'zod';
import { ownPicture } from '#shared/listings/picture-address.ts';
import { getLeaderboard } from '#shared/contract/leaderboard.ts';
import { Lookup, lookUp } from '#shared/contract/lookup.ts';
import * as open from '#shared/contract/open.ts';
import {
  getGuestCards,
  getProject,
  listProjects,
  projectLeaderboard,
  searchProjects,
} from '#shared/contract/projects.ts';
import { getRecord, getRecount, listCheckpoints, type RecordCheckpoint } from '#shared/contract/record.ts';
import { getSiteConfig } from '#shared/contract/site.ts';
import { getReach } from '#shared/contract/standing.ts';
import { getSupply } from '#shared/contract/supply.ts';
import { listVersions, type ListingVersion } from '#shared/contract/versions.ts';
import { NEXT_CURSOR_HEADER } from '#shared/site/pages.ts';
import type { Sort } from '#shared/listings/sort-names.ts';
import { RecordMissing, RecordUnavailable, remoteReader, type RemoteFilesOptions } from '../proof/remote-files.ts';
import { RecordError } from '../entries/entries.ts';

/** Fits the leaderboard of very many projects. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_SMALL_BYTES = 8 * 1024 * 1024;
const MAX_ROWS = 200_000;
/** Responses with a row for each project. */
const LARGE = ['/api/projects/leaderboard/all', '/api/record/recount', '/api/v1/leaderboard.'];
const MAX_LIST_MS = 600_000;

/** The text of a tool's answer (Model Context Protocol). */
const Answer = z.object({ result: z.object({ content: z.tuple([z.object({ text: z.string() })], z.unknown()) }) });

interface Get<R extends z.ZodType> {
  path: string;
  response: R;
}

/** The record seals paths of pictures; /api/v1 has whole addresses. */
const parsed = (text: string): unknown =>
  JSON.parse(text, (name, value: unknown) =>
    (name === 'imageUrl' || name === 'avatarUrl') && typeof value === 'string' ? ownPicture(value) : value,
  );

export function readSite(options: RemoteFilesOptions) {
  const read = remoteReader(options);

  async function text(path: string, message?: object): Promise<{ body: string; headers: Headers }> {
    const isLarge = LARGE.some((prefix) => path.startsWith(prefix));
    const { bytes, headers } = await read(path.slice(1), isLarge ? MAX_BYTES : MAX_SMALL_BYTES, message);
    return { body: new TextDecoder().decode(bytes), headers };
  }

  async function get<T extends z.ZodType>(
    path: string,
    schema: T,
    message?: object,
  ): Promise<{ body: z.output<T>; headers: Headers }> {
    const { body, headers } = await text(path, message);
    let value: unknown;
    try {
      value = parsed(body);
    } catch {
      throw new RecordUnavailable(`${options.baseUrl}${path.slice(1)} responds with something else than JSON`);
    }
    const found = schema.safeParse(value);
    if (!found.success) throw new RecordError(`${path}: ${z.prettifyError(found.error).split('\n')[0] ?? ''}`);
    return { body: found.data, headers };
  }

  const bodyOf = async <R extends z.ZodType>({ path, response }: Get<R>): Promise<z.output<R>> =>
    (await get(path, response)).body;
  const orMissing = <T>(work: Promise<T>): Promise<T | null> =>
    work.catch((error: unknown) => {
      if (error instanceof RecordMissing) return null;
      throw error;
    });
  const withId = <R extends z.ZodType>({ path, response }: Get<R>, id: number | string): Get<R> => ({
    path: path.replace('{id}', String(id)),
    response,
  });

  /** All rows of a list in pages; `keyOf` names a row. @throws RecordError for a list that does not come to an end */
  async function pagesOf<T>(path: string, schema: z.ZodType<T[]>, keyOf: (row: T) => string): Promise<T[]> {
    const rows = new Map<string, T>();
    const startedMs = performance.now();
    let query = '';
    for (;;) {
      const { body, headers } = await get(`${path}${query}`, schema);
      const before = rows.size;
      for (const row of body) rows.set(keyOf(row), row);
      const cursor = headers.get(NEXT_CURSOR_HEADER);
      if (cursor === null) return [...rows.values()];
      if (rows.size === before || rows.size > MAX_ROWS) throw new RecordError(`${path} does not come to an end`);
      if (performance.now() - startedMs > MAX_LIST_MS)
        throw new RecordUnavailable(`The server is too slow for ${path}`);
      query = `&cursor=${encodeURIComponent(cursor)}`;
    }
  }

  return {
    config: () => bodyOf(getSiteConfig),
    record: () => bodyOf(getRecord),
    openRecord: () => bodyOf(open.getRecord),
    guestCards: async () => (await bodyOf(getGuestCards)).cards,
    recount: () => bodyOf(getRecount),
    leaderboard: () => bodyOf(projectLeaderboard),
    newest: () => bodyOf(listProjects),
    voters: () => bodyOf(getLeaderboard),
    supply: () => bodyOf(open.getSupply),
    trust: () => bodyOf(open.getTrust),
    lookUp: (query: { coin: string } | { package: string }) =>
      orMissing(bodyOf({ path: `${lookUp.path}?${new URLSearchParams(query).toString()}`, response: Lookup })),
    /** The answer of a tool for machines; null if the site has none. */
    tool: async (name: string, input: object): Promise<unknown> => {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
      const answer = await orMissing(get('/mcp', Answer, message));
      return answer && parsed(answer.body.result.content[0].text);
    },
    /** A page or a drawing; null if the site has none. */
    text: async (path: string): Promise<string | null> => (await orMissing(text(path)))?.body ?? null,
    /** The same data under the addresses that the page itself reads. */
    own: {
      project: (id: number) => orMissing(bodyOf(withId(getProject, id))),
      supply: () => bodyOf(getSupply),
    },
    reach: () => bodyOf(getReach),
    list: (sort: Sort) =>
      pagesOf(
        `${searchProjects.path}?sort=${sort}&limit=${searchProjects.pages.max}`,
        searchProjects.response,
        ({ id }) => String(id),
      ),
    /** Null for a project that is hidden from strangers. */
    project: (ref: number | string) => orMissing(bodyOf(withId(open.getProject, ref))),
    versions: (id: number): Promise<ListingVersion[] | null> =>
      orMissing(
        pagesOf(
          `${withId(open.listVersions, id).path}?limit=${listVersions.pages.max}`,
          listVersions.response,
          ({ number }) => String(number),
        ),
      ),
    ownership: (id: number) => orMissing(bodyOf(withId(open.getOwnership, id))),
    trend: (id: number) => orMissing(bodyOf(withId(open.getProjectTrend, id))),
    /** The files of a day; without one, of the newest closed day. */
    day: async (day?: string) => {
      const query = day === undefined ? '' : `?day=${day}`;
      const { path, response } = open.getLeaderboardJson;
      const csv = await text(`${open.getLeaderboardCsv.path}${query}`);
      return { file: await bodyOf({ path: `${path}${query}`, response }), csv: csv.body };
    },

    async checkpoints(): Promise<RecordCheckpoint[]> {
      const path = `${listCheckpoints.path}?limit=${listCheckpoints.pages.max}`;
      const rows = await pagesOf(path, listCheckpoints.response, ({ note }) => note);
      for (const [at, { size }] of rows.entries()) {
        if (at > 0 && size > (rows[at - 1]?.size ?? 0))
          throw new RecordError('The list of checkpoints is not in order');
      }
      return rows.toReversed();
    },
  };
}

export type Site = ReturnType<typeof readSite>;
