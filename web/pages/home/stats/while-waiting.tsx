import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { NEW_PROJECT_DAYS } from '#shared/daily-deck.ts';
import type { Project } from '#shared/contract/types.ts';
import { useStore } from '../../../lib/external-store.ts';
import { paths } from '../../../lib/paths.ts';
import { queries, queryClient } from '../../../lib/queries.ts';
import { serverNow } from '../../../lib/server-clock.ts';
import { DayResults } from '../daily/day-results.tsx';
import { deck } from '../deck/vote.ts';

const NEW_MS = NEW_PROJECT_DAYS * 86_400_000;
const SHOWN = 3;

const ROW = '-mx-2 flex min-h-11 items-center justify-between gap-3 rounded-md px-2 transition-colors hover:bg-raised';

function Waiting({ project }: { project: Project }) {
  return (
    <li>
      <Link href={paths.project(project)} className={ROW}>
        <span className="min-w-0 truncate font-semibold">{project.name}</span>
        <span className="shrink-0 text-muted">{project.category}</span>
      </Link>
    </li>
  );
}

export function WhileWaiting({ userId }: { userId: number }) {
  const { data: daily } = useQuery(queries.dailyDeck(userId));
  useEffect(() => void queryClient.invalidateQueries({ queryKey: queries.dailyDeck(userId).queryKey }), [userId]);
  const { queue } = useStore(deck);
  const fresh = queue.filter(({ createdAt }) => serverNow() - Date.parse(createdAt) < NEW_MS).slice(0, SHOWN);
  return (
    <div data-while-waiting className="mt-3 grid gap-3 text-sm">
      <DayResults cards={daily?.cards ?? []} />
      {fresh.length > 0 ? (
        <section aria-label="New projects">
          <h3 className="font-semibold">New projects to vote on</h3>
          <ul>
            {fresh.map((project) => (
              <Waiting key={project.id} project={project} />
            ))}
          </ul>
        </section>
      ) : null}
    </div>
  );
}

export function WhenAllRated({ userId }: { userId: number }) {
  const { data: daily } = useQuery(queries.dailyDeck(userId));
  const { loaded, queue } = useStore(deck);
  if (!daily || !loaded || queue.length > 0) return null;
  return <DayResults cards={daily.cards} className="mt-3 text-sm" />;
}
