import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { Notice } from '#shared/contract/notices.ts';
import { announce } from '../../lib/announce.ts';
import { api } from '../../lib/api.ts';
import { type NoticePage, queries, queryClient, readNoticePage } from '../../lib/queries.ts';

const CHANNEL = 'snapswipe_notices';

function useTabs(userId: number): () => void {
  const channel = useRef<BroadcastChannel | null>(null);
  useEffect(() => {
    const opened = new BroadcastChannel(CHANNEL);
    opened.addEventListener('message', () => void queryClient.invalidateQueries(queries.notices(userId)));
    channel.current = opened;
    return () => opened.close();
  }, [userId]);
  return () => channel.current?.postMessage('read');
}

function useAnnouncements(rows: readonly Notice[] | undefined): void {
  const known = useRef<number | null>(null);
  useEffect(() => {
    if (!rows) return;
    const since = known.current;
    known.current = Math.max(since ?? 0, rows[0]?.id ?? 0);
    const arrived = since === null ? [] : rows.filter(({ id, readAt }) => id > since && readAt === null);
    if (arrived.length > 0) announce(`New notification: ${arrived.map(({ text }) => text).join('. ')}`);
  }, [rows]);
}

function useOlder(userId: number, head: NoticePage | undefined) {
  const [pages, setPages] = useState<NoticePage[]>([]);
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle');
  const cursor = (pages.at(-1) ?? head)?.nextCursor ?? undefined;
  async function load(): Promise<void> {
    setState('loading');
    try {
      const page = await readNoticePage(userId, { cursor });
      setPages([...pages, page]);
      setState('idle');
      announce(`${page.rows.length} more notifications`);
    } catch {
      setState('failed');
    }
  }
  const shown = new Set(head?.rows.map(({ id }) => id));
  return {
    rows: pages.flatMap(({ rows }) => rows).filter(({ id }) => !shown.has(id)),
    hasMore: cursor !== undefined,
    state,
    load: () => void load(),
    reset: () => setPages([]),
  };
}

async function mark(userId: number, upTo: number): Promise<boolean> {
  try {
    const { unread } = await api.readNotices({ params: { id: userId }, body: { upTo } });
    queryClient.setWritten(queries.notices(userId).queryKey, (page) => page && { ...page, unread });
    return true;
  } catch {
    return false;
  }
}

export function useNotices(userId: number) {
  const read = useQuery(queries.notices(userId), queryClient);
  const { data, refetch } = read;
  const [path] = useLocation();
  const lastPath = useRef(path);
  const tellTabs = useTabs(userId);
  const older = useOlder(userId, data);
  useAnnouncements(data?.rows);
  useEffect(() => {
    if (path === lastPath.current) return;
    lastPath.current = path;
    void refetch();
  }, [path, refetch]);

  async function open(): Promise<void> {
    const { data: seen } = await refetch();
    const [newest] = seen?.rows ?? [];
    if (!seen?.unread || !newest) return;
    if (await mark(userId, newest.id)) tellTabs();
  }
  function close(): void {
    older.reset();
    void refetch();
  }
  return { ...read, older, onOpenChange: (isOpen: boolean) => (isOpen ? void open() : close()) };
}
