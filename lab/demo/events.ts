import { EVENT_SOURCES, type EventKind, type EventSource } from '#shared/listings/events.ts';
import { listedAt, type DemoVote } from './history.ts';
import { DEMO_PROJECTS, type DemoProject } from './projects.ts';
import { randomFrom } from './random.ts';

/** Views, clicks and shares that match the demo's votes, for the owner's insights page. */

const DAY_MS = 86_400_000;
const EVENT_DAYS = 60;

interface DemoEvents {
  project: DemoProject;
  /** Days since 1970, UTC. */
  day: number;
  kind: EventKind;
  source: EventSource;
  count: number;
}

/** Views on a day for each vote on a card, and by each other source, for a project that all users come across. */
const VIEWS_PER_VOTE = 3;
const REACH_VIEWS: Record<EventSource, number> = { deck: 46, page: 24, badge: 14, embed: 5, link: 11 };
const CLICK_RATE = 0.08;
const SHARE_RATE = 0.03;

const showsElsewhere = ({ reach }: DemoProject): boolean => reach > 0.5;

interface Day {
  project: DemoProject;
  day: number;
  votes: number;
  /** Part of the day that has passed: less than 1 today. */
  share: number;
  age: number;
}

function viewsOn({ project, day, votes, share, age }: Day): Record<EventSource, number> {
  const random = randomFrom(`views of ${project.name} on ${day}`);
  // New listings attract people, and weekends are quiet.
  const interest = project.reach * (1 + 1.4 * Math.exp(-age / 5)) * ([0, 6].includes((day + 4) % 7) ? 0.6 : 1);
  const views = { deck: 0, page: 0, badge: 0, embed: 0, link: 0 };
  for (const source of EVENT_SOURCES) {
    const isElsewhere = source === 'badge' || source === 'embed';
    if (isElsewhere && !showsElsewhere(project)) continue;
    views[source] = Math.round(REACH_VIEWS[source] * interest * random.range(0.45, 1.3) * share);
  }
  views.deck += votes * VIEWS_PER_VOTE;
  return views;
}

function eventsOn(day: Day): DemoEvents[] {
  const { project } = day;
  const views = viewsOn(day);
  const random = randomFrom(`clicks of ${project.name} on ${day.day}`);
  const visits = views.page + views.link;
  const event = (kind: EventKind, source: EventSource, count: number) => ({
    project,
    day: day.day,
    kind,
    source,
    count,
  });
  return [
    ...EVENT_SOURCES.map((source) => event('view', source, views[source])),
    event('click', 'page', Math.round(visits * CLICK_RATE * random.range(0.6, 2.4))),
    event('click', 'deck', Math.round(views.deck * CLICK_RATE * random.range(0, 0.6))),
    event('share', 'page', Math.round(visits * SHARE_RATE * random.range(0, 2.6))),
  ].filter(({ count }) => count > 0);
}

export function planEvents(votes: readonly DemoVote[], nowMs: number): DemoEvents[] {
  const today = Math.floor(nowMs / DAY_MS);
  return DEMO_PROJECTS.flatMap((project) => {
    const listed = Math.floor(listedAt(project, nowMs) / DAY_MS);
    const own = votes.filter((vote) => vote.project === project).map(({ atMs }) => Math.floor(atMs / DAY_MS));
    const first = Math.max(listed, today - EVENT_DAYS + 1);
    return Array.from({ length: today - first + 1 }, (_, i) => first + i).flatMap((day) =>
      eventsOn({
        project,
        day,
        votes: own.filter((on) => on === day).length,
        share: day === today ? (nowMs % DAY_MS) / DAY_MS : 1,
        age: day - listed,
      }),
    );
  });
}
