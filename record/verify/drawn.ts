import { RecordError } from '../entries/entries.ts';
import { bullishPercentage } from '#shared/rules.ts';
import type { ShownCounts } from './site-checks.ts';

/** A project as a browser without JavaScript, a search engine or a shared link sees it. */

const COUNT = /<data\b[^>]*\bitemprop="(bullish|bearish)"[^>]*\bvalue="(\d+)"[^>]*>([^<]*)<\/data>/gi;
const DATA = /<script type="application\/json" id="page-data">(.*?)<\/script>/s;
const SHARED = /<meta property="og:title" content="[^"]*?: (\d+)% bullish, ([\d,.\s]+) votes?">/;

const digitsOf = (text: string): number => Number(text.replaceAll(/\D/g, ''));

/** The counts in the page's text, and those in the data for its scripts. */
export function drawnCounts(projectId: number, html: string): ShownCounts[] {
  const found = new Map<string, number>();
  for (const [, name = '', value = '', text = ''] of html.matchAll(COUNT)) {
    if (digitsOf(text) !== Number(value)) {
      throw new RecordError(`project ${projectId}: the drawn page says ${text.trim()} where it means ${value}`);
    }
    found.set(name, Number(value));
  }
  const [bullish, bearish] = [found.get('bullish'), found.get('bearish')];
  if (bullish === undefined || bearish === undefined) {
    throw new RecordError(`project ${projectId}: the drawn page has no counts`);
  }
  expectShared(projectId, html, { projectId, bullish, bearish });
  return [{ projectId, bullish, bearish, where: 'its drawn page' }, ...handedOver(projectId, html)];
}

function handedOver(projectId: number, html: string): ShownCounts[] {
  const json = DATA.exec(html)?.[1];
  const { project } = (json === undefined ? {} : JSON.parse(json)) as { project?: Record<string, unknown> };
  if (!project || project['id'] !== projectId) return [];
  const [bullish, bearish] = [project['bullishCount'], project['bearishCount']].map(Number);
  return [
    { projectId, bullish: bullish ?? Number.NaN, bearish: bearish ?? Number.NaN, where: 'the data of its drawn page' },
  ];
}

/** The text of a shared link has to follow from the counts of the page. */
function expectShared(projectId: number, html: string, { bullish, bearish }: Omit<ShownCounts, 'where'>): void {
  const [, percent, votes] = SHARED.exec(html) ?? [];
  if (percent === undefined || votes === undefined) return;
  const expected = bullishPercentage(bullish, bearish);
  if (Number(percent) === expected && digitsOf(votes) === bullish + bearish) return;
  throw new RecordError(
    `project ${projectId}: shared links say ${percent}% of ${votes} votes, the page ${expected}% of ${bullish + bearish}`,
  );
}
