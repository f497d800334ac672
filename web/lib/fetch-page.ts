import { NEXT_CURSOR_HEADER, type Page as ListPage, type PagePlace, TOTAL_COUNT_HEADER } from '#shared/site/pages.ts';
import { ENDPOINTS } from '#shared/endpoints.ts';
import type { Endpoints, PagedName } from './api.ts';
import { type ResponseBody, type Call, request } from './http.ts';

export type { Page as ListPage } from '#shared/site/pages.ts';

export interface PageCall {
  cursor?: string | undefined;
  limit?: number | undefined;
}

export async function fetchPage<K extends PagedName>(
  name: K,
  call: Call<Endpoints[K]>,
): Promise<PagePlace & { body: ResponseBody<Endpoints[K]> }> {
  return request(ENDPOINTS[name], call, async (response) => {
    const total = response.headers.get(TOTAL_COUNT_HEADER);
    return {
      body: (await response.json()) as ResponseBody<Endpoints[K]>,
      nextCursor: response.headers.get(NEXT_CURSOR_HEADER),
      total: total === null ? null : Number(total),
    };
  });
}

export type RowsName = { [K in PagedName]: ResponseBody<Endpoints[K]> extends unknown[] ? K : never }[PagedName];

export async function fetchRows<K extends RowsName>(
  name: K,
  call: Call<Endpoints[K]>,
): Promise<ListPage<ResponseBody<Endpoints[K]>[number]>> {
  const { body, ...place } = await fetchPage(name, call);
  return { rows: body, ...place };
}

export async function fetchAllRows<T>(load: (page: PageCall) => Promise<ListPage<T>>): Promise<T[]> {
  const rows: T[] = [];
  let cursor: string | undefined;
  do {
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the last one ends
    const page = await load({ cursor });
    rows.push(...page.rows);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return rows;
}

export interface ListSource<T, P extends ListPage<T> = ListPage<T>> {
  queryKey: readonly unknown[];
  load: (page: PageCall, signal?: AbortSignal) => Promise<P>;
}
