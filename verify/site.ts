import { z } from 'zod';
import { getLeaderboard } from '#shared/contract/leaderboard.ts';
import { getProject, listProjects, type ProjectPage, projectLeaderboard } from '#shared/contract/projects.ts';
import { getRecord, getRecount, listCheckpoints, type RecordCheckpoint } from '#shared/contract/record.ts';
import { getSiteConfig } from '#shared/contract/site.ts';
import { getSupply } from '#shared/contract/supply.ts';
import { NEXT_CURSOR_HEADER } from '#shared/pages.ts';
import { RecordMissing, RecordUnavailable, remoteReader, type RemoteFilesOptions } from '#shared/proof/remote-files.ts';
import { RecordError } from '#shared/record/entries.ts';

/** The leaderboard of very many projects; no other response comes near. */
const MAX_BYTES = 64 * 1024 * 1024;

/** What the site tells everybody, as any client reads it. */
export function readSite(options: RemoteFilesOptions) {
  const read = remoteReader(options);

  async function get<T extends z.ZodType>(path: string, schema: T): Promise<{ body: z.output<T>; headers: Headers }> {
    const { bytes, headers } = await read(path.slice(1), MAX_BYTES);
    let body: unknown;
    try {
      body = JSON.parse(new TextDecoder().decode(bytes));
    } catch {
      throw new RecordUnavailable(`${options.baseUrl}${path.slice(1)} responds with something else than JSON`);
    }
    const parsed = schema.safeParse(body);
    if (!parsed.success) throw new RecordError(`${path}: ${z.prettifyError(parsed.error).split('\n')[0] ?? ''}`);
    return { body: parsed.data, headers };
  }

  const bodyOf = async <T extends z.ZodType>({ path, response }: { path: string; response: T }) =>
    (await get(path, response)).body;

  return {
    config: () => bodyOf(getSiteConfig),
    record: () => bodyOf(getRecord),
    recount: () => bodyOf(getRecount),
    leaderboard: () => bodyOf(projectLeaderboard),
    newest: () => bodyOf(listProjects),
    voters: () => bodyOf(getLeaderboard),
    supply: () => bodyOf(getSupply),

    /** Null for a project that strangers are not shown. */
    async project(id: number): Promise<ProjectPage | null> {
      const path = getProject.path.replace('{id}', String(id));
      const page = await bodyOf({ ...getProject, path }).catch((error: unknown) => {
        if (error instanceof RecordMissing) return null;
        throw error;
      });
      if (page && page.id !== id) throw new RecordError(`The page of project ${id} is that of project ${page.id}`);
      return page;
    },

    /** Every checkpoint, oldest first. */
    async checkpoints(): Promise<RecordCheckpoint[]> {
      const rows: RecordCheckpoint[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const page = await get(
          `${listCheckpoints.path}?limit=${listCheckpoints.pages.max}${query}`,
          listCheckpoints.response,
        );
        rows.push(...page.body);
        cursor = page.headers.get(NEXT_CURSOR_HEADER);
      }
      return rows.toReversed();
    },
  };
}

export type Site = ReturnType<typeof readSite>;
