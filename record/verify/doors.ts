/**
 * Other doors to the figures of a project, of 20 projects at random: its pages under other addresses, the look-up, a tool for
 * machines, and the one line that HTML, badge, embedded card and the text of a shared link have for machines (R62).
 */
import { z } from 'zod';
import { ProjectPage } from '#shared/contract/projects.ts';
import type { Lookup } from '#shared/contract/lookup.ts';
import type { Project } from '#shared/contract/types.ts';
import { NOW_MIN_VOTES, type VoteCounts, wilsonInterval } from '#shared/numbers/interval.ts';
import { escapeHtml } from '#shared/text/escape.ts';
import { isolated } from '#shared/text/isolated.ts';
import { leadingShare } from '#shared/figures/leading-share.ts';
import { RecordError } from '../entries/entries.ts';
import { between, type Figure } from './compare.ts';
import {
  clipped,
  type Door,
  type Figures,
  type Share,
  type Known,
  type Line,
  NONE,
  type Shown,
  sumOf,
  verifiedOf,
} from './shown.ts';
import type { Site } from './site.ts';

export const SAMPLE = 20;

export const sampleOf = (pages: readonly ProjectPage[], random = Math.random): ProjectPage[] =>
  pages
    .map((page) => ({ page, place: random() }))
    .toSorted((one, other) => one.place - other.place)
    .slice(0, SAMPLE)
    .map(({ page }) => page);

/** The share in a line that begins with it; null for any other line. */
export function shareIn(line: string | undefined): Share | null {
  const [, percentage, votes = '', verified] =
    /^(\d+)% bullish of ([^a-z]+) (verified )?votes?\b/.exec(line ?? '') ?? [];
  if (percentage === undefined) return null;
  return {
    percentage: Number(percentage),
    votes: Number(votes.replace(/\D/g, '')),
    isVerified: verified !== undefined,
  };
}

const countsOf = ({ bullishCount: bullish, bearishCount: bearish, verified, now }: Project): Figures => {
  return { bullish, bearish, verified, now };
};
const figuresOf = (page: ProjectPage | null): Figures | null => page && { ...countsOf(page), now: page.now ?? null };

/** The interval of a look-up follows from its votes. */
function lookedUp({ votes: { bullish, bearish, ...shown }, verified, now }: Lookup): Figures {
  const [total, { low, high }] = [bullish + bearish, wilsonInterval({ bullish, bearish })];
  const fits = shown.low === low && shown.high === high && shown.share === (total === 0 ? null : bullish / total);
  if (!fits) throw new RecordError(`A look-up of ${bullish} and ${bearish} votes says ${JSON.stringify(shown)}`);
  return { bullish, bearish, verified, now };
}

const SLUG = /^[a-z0-9-]{1,80}$/;
const Answer = z.object({ data: ProjectPage });

async function doorsOf(site: Site, page: ProjectPage): Promise<Door[]> {
  const { id, slug, coinType, packageId } = page;
  // A slug becomes part of an address.
  if (!SLUG.test(slug)) throw new RecordError(`project ${id} has the address ${slug}`);
  const names = [
    ...(coinType === null ? [] : [{ coin: coinType }]),
    ...(packageId === null ? [] : [{ package: packageId }]),
  ];
  const looked: Door[] = [];
  for (const query of names) {
    const found = await site.lookUp(query);
    const where = `look-up of ${Object.values(query).join()}`;
    // A look-up finds the listing with the better claim if several share a name.
    looked.push({ where, id: found?.id ?? id, figures: found && lookedUp(found) });
    looked.push({
      where: `line of the ${where}`,
      id: found?.id ?? id,
      share: shareIn(found?.line.slice(isolated(found.name).length + 2)),
    });
  }
  const shown = async (what: string, path: string): Promise<Door> => {
    const share = shareIn(/ data-share="([^"]*)"/.exec((await site.text(path)) ?? '')?.[1]);
    return { where: `${what} of project ${id}`, id, share };
  };
  return [
    ...looked,
    { where: `/api/projects/${id}`, id, figures: figuresOf(await site.own.project(id)) },
    { where: `/api/v1/projects/${slug}`, id, figures: figuresOf(await site.project(slug)) },
    await shown('badge', `/badge/${slug}.svg`),
    await shown('embedded card', `/embed/${slug}`),
    ...pageDoors(await site.text(`/projects/${slug}`), page),
  ];
}

/** The page and the text of its link; nothing if a site serves no HTML, or lets browsers draw the page. */
function pageDoors(html: string | null, { id, name }: ProjectPage): Door[] {
  if (html === null) return [];
  const title = /<meta property="og:title" content="([^"]*)">/.exec(html)?.[1] ?? '';
  const begin = `${escapeHtml(isolated(name))}: `;
  const shared = shareIn(title.startsWith(begin) ? title.slice(begin.length) : undefined);
  const titled: Door = { where: `title of project ${id}`, id, share: shared };
  if (/<div id="root"(?:>|[^>]* data-shell)/.test(html)) return [titled];
  const drawn = shareIn(/<data itemProp="share" value="([^"]*)"/i.exec(html)?.[1]);
  return [titled, { where: `HTML of project ${id}`, id, share: drawn }];
}

export async function readDoors(
  site: Site,
  pages: readonly ProjectPage[],
  onRead: (page: ProjectPage) => void,
): Promise<Door[]> {
  const cards = await site.guestCards();
  const doors = cards.map((card): Door => ({
    where: `guest card of project ${card.id}`,
    id: card.id,
    figures: countsOf(card),
  }));
  const sample = sampleOf(pages);
  for (const page of sample) {
    doors.push(...(await doorsOf(site, page)));
    onRead(page);
  }
  const [first] = sample;
  if (!first) return doors;
  const answer = Answer.safeParse(await site.tool('project', { id: String(first.id) }));
  return [
    ...doors,
    { where: `tool for machines of project ${first.id}`, id: first.id, figures: figuresOf(answer.data?.data ?? null) },
  ];
}

const shareOf = (votes: VoteCounts, verified: VoteCounts): Share | null => {
  const lead = leadingShare(votes, verified);
  return lead && { percentage: lead.percentage, votes: sumOf(lead.votes), isVerified: lead.votes === verified };
};

/** The share by the record; for live votes, the range that newer votes of the project allow. */
function recordedShare(known: Known, id: number): unknown {
  const { bullish, bearish } = known.cachedCounts.get(id) ?? { bullish: between(0, 0), bearish: between(0, 0) };
  const [least, most] = [
    { bullish: Number(bullish.least), bearish: Number(bearish.most) },
    { bullish: Number(bullish.most), bearish: Number(bearish.least) },
  ].map((votes) => shareOf(votes, clipped(verifiedOf(known, id), votes)));
  if (!least || !most) return least === most ? null : undefined;
  if (least.isVerified !== most.isVerified) return undefined;
  const all = sumOf({ bullish: Number(bullish.most), bearish: Number(bearish.most) });
  const votes = least.isVerified ? between(least.votes, most.votes) : between(Math.min(least.votes, most.votes), all);
  return { percentage: between(least.percentage, most.percentage), votes, isVerified: least.isVerified };
}

export const DOORS: ReadonlyArray<Figure<Shown, Known, Line>> = [
  {
    line: 'Copies',
    figure: 'key',
    places: ({ openRecord }, { verifierKey }) => [['/api/v1/record', openRecord().verifierKey, verifierKey]],
  },
  {
    line: 'Copies',
    figure: 'figures',
    *places({ doors }, known) {
      for (const door of doors()) {
        if (!('figures' in door)) continue;
        const { id, where, figures } = door;
        const now = known.projects.get(id)?.now ?? NONE;
        const expected = {
          ...known.cachedCounts.get(id),
          verified: clipped(verifiedOf(known, id), figures ?? NONE),
          now: figures && figures.now === undefined ? undefined : sumOf(now) < NOW_MIN_VOTES ? null : now,
        };
        yield [where, figures, expected];
      }
    },
  },
  {
    line: 'Copies',
    figure: 'share',
    *places({ doors }, known) {
      for (const door of doors()) if ('share' in door) yield [door.where, door.share, recordedShare(known, door.id)];
    },
  },
];
