import { Name } from '../../components/values/name.tsx';
import { useQuery } from '@tanstack/react-query';
import { Star } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { Follows } from '#shared/contract/follows.ts';
import { bullishPercentage } from '#shared/rules.ts';
import { FollowStar } from '../../components/follow/follow-star.tsx';
import { followsQuery } from '../../components/follow/follows.ts';
import { Loaded } from '../../components/states/read.tsx';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../ui/button.tsx';
import { Card, CardTitle } from '../../ui/card.tsx';

type Followed = Follows['projects'][number];
const SHOWN_AT_FIRST = 5;

function lineOf({ turn }: Followed): string | null {
  if (turn) {
    const percent = bullishPercentage(turn.bullish, turn.bearish);
    return `${percent}% bullish, ${bullishPercentage(turn.bullishBefore, turn.bearishBefore)}% a week before`;
  }
  return null;
}

/** Rows that were unfollowed here stay, so that a wrong press can be taken back. */
function useRows(projects: readonly Followed[] | undefined): Followed[] {
  const [seen, setSeen] = useState<Followed[]>([]);
  const known = new Set(seen.map(({ id }) => id));
  const more = (projects ?? []).filter(({ id }) => !known.has(id));
  if (more.length > 0) setSeen([...seen, ...more]);
  const fresh = new Map(projects?.map((one) => [one.id, one]));
  return seen.map((one) => fresh.get(one.id) ?? one);
}

export function FollowedProjects({ userId }: { userId: number }) {
  const read = useQuery({ ...followsQuery(userId), refetchOnMount: 'always' });
  const [isOpen, setIsOpen] = useState(false);
  const rows = useRows(read.data?.projects);
  const hasCome = read.data !== undefined;
  useEffect(() => {
    // A notice of several turns leads here; the browser itself looks before there is a list.
    if (hasCome && location.hash === '#follows') document.getElementById('follows')?.scrollIntoView();
  }, [hasCome]);
  return (
    <Card aria-labelledby="follows">
      <CardTitle id="follows" icon={<Star aria-hidden size={20} className="text-link" />}>
        Projects you follow
      </CardTitle>
      <Loaded of={read} skeleton="h-44 w-full">
        {() =>
          rows.length === 0 ? (
            <p className="text-muted">
              None yet. Press the star of a project: you get a message when its majority turns.
            </p>
          ) : null
        }
      </Loaded>
      <ul className="divide-y divide-line">
        {rows.slice(0, isOpen ? rows.length : SHOWN_AT_FIRST).map((project) => (
          <li key={project.id} className="flex items-center justify-between gap-3 py-1.5">
            <p className="min-w-0">
              <Link
                href={paths.project(project)}
                title={project.name}
                className="block truncate py-1 font-semibold underline-offset-4 hover:underline"
              >
                <Name>{project.name}</Name>
              </Link>
              <span className="block text-sm text-muted">{lineOf(project)}</span>
            </p>
            <FollowStar project={project} />
          </li>
        ))}
      </ul>
      {!isOpen && rows.length > SHOWN_AT_FIRST ? (
        <Button variant="secondary" className="mt-3" onClick={() => setIsOpen(true)}>
          Show all {rows.length}
        </Button>
      ) : null}
    </Card>
  );
}
