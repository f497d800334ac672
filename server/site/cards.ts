import type { OverlayOptions } from 'sharp';
import { changedShort } from '#shared/badge/figures.ts';
import { changedText } from '#shared/listings/change-text.ts';
import { asOfText } from '#shared/text/as-of-text.ts';
import type { ListingChange } from '#shared/listings/identity.ts';
import { nowText, verifiedText, type VoteCounts } from '#shared/numbers/interval.ts';
import { leadingShare, likelyText } from '#shared/figures/leading-share.ts';
import { categoryText, type ListingSource, lookAlikeText } from '#shared/listings/listing-source.ts';
import { percentTone } from '#shared/rules.ts';
import { CARD_HEIGHT, CARD_WIDTH, COLOR, finish, frame, ground, mark } from './card-art.ts';
import { type DrawnText, drawText, drawable, fitText } from './card-text.ts';

export interface CardProject {
  name: string;
  twitterHandle: string;
  category: string;
  source: ListingSource;
  lookAlike: { name: string; since: string } | null;
  bullishPercentage: number;
  votes: VoteCounts;
  verified: VoteCounts;
  now: VoteCounts | null;
  changed?: ListingChange | undefined;
  figuresOn: string | null;
  picture: Buffer;
}

const NUMBERS = new Intl.NumberFormat('en');
const inkOf = (text: string): string => text.normalize('NFC').replace(/[\s\p{Default_Ignorable_Code_Point}]/gu, '');
/** The name, or the handle if the fonts lack any sign of it, even an emoji or an accent: what is left could name another project. */
function cardName({ name, twitterHandle }: CardProject): string {
  const drawn = drawable(name);
  if (drawn !== '' && inkOf(drawn) === inkOf(name)) return drawn;
  return twitterHandle === '' ? 'Not reviewed yet' : `@${twitterHandle}`;
}
const votesText = (total: number): string => (total === 1 ? '1 vote' : `${NUMBERS.format(total)} votes`);
const at = (drawn: DrawnText, left: number, top: number): OverlayOptions => ({
  input: drawn.input,
  left: Math.round(left),
  top: Math.round(top),
});

const totalOf = ({ bullish, bearish }: VoteCounts): number => bullish + bearish;

async function drawLines(
  lines: readonly string[],
  { width, left, top }: { width: number; left: number; top: number },
): Promise<OverlayOptions[]> {
  const look = { width, height: 32, sizesPx: [26, 24, 22, 20, 18, 16], color: COLOR.muted };
  const drawn = await Promise.all(lines.map((line) => fitText(line, look)));
  return drawn.map((line, i) => at(line, left, top + i * 31));
}

const markOf = (lookAlike: CardProject['lookAlike']): string[] => (lookAlike ? [lookAlikeText(lookAlike)] : []);

/** Shows at most two percentages: a card is seen for a second. */
const rowText = ({ votes, verified, changed, lookAlike }: CardProject): string[] =>
  totalOf(votes) === 0 || lookAlike
    ? markOf(lookAlike)
    : [
        [likelyText(votes), verifiedText(verified), ...(changed ? [changedShort(totalOf(votes), changed)] : [])].join(
          ' · ',
        ),
      ];

const BRAND_PX = 60;
async function brand(left: number, top: number): Promise<OverlayOptions> {
  const word = await drawText('snapswipe', { sizePx: 40, color: COLOR.text });
  return at(word, left + BRAND_PX + 12, top + 12);
}

function shareLines({ votes, verified, now, changed, lookAlike, figuresOn }: CardProject): string[] {
  const lead = leadingShare(votes, verified);
  if (!lead) return markOf(lookAlike);
  return [
    ...markOf(lookAlike),
    `${lead.sample}, ${likelyText(lead.votes)}`,
    [lead.beside, nowText(votes, now), asOfText(figuresOn)].filter((text) => text !== null).join(' · '),
    ...(changed ? [changedText(totalOf(votes), changed)] : []),
  ];
}

export async function drawProjectCard(project: CardProject): Promise<Buffer> {
  const [left, width, barTop, brandTop] = [556, 580, 424, 546];
  const lead = leadingShare(project.votes, project.verified);
  const tone = lead ? COLOR[percentTone(lead.percentage)] : COLOR.muted;
  const [picture, category, name, share, word, evidence, word2] = await Promise.all([
    frame(project.picture, { width: 372, height: 496, radius: 36, tilt: -4 }),
    drawText(categoryText(project.category, project.source), { sizePx: 30, color: COLOR.muted }),
    fitText(cardName(project), { width, height: 200, sizesPx: [88, 74, 62, 52, 44], color: COLOR.text }),
    lead
      ? drawText(`${lead.percentage}%`, { sizePx: 92, color: tone })
      : drawText('No votes yet', { sizePx: 64, color: tone }),
    lead ? drawText('bullish', { sizePx: 44, color: tone }) : null,
    drawLines(shareLines(project), { width, left, top: barTop + 34 }),
    brand(left - 8, brandTop),
  ]);
  const bullWidth = lead ? Math.round((width * lead.percentage) / 100) : 0;
  const bar = `<rect x="${left}" y="${barTop}" width="${width}" height="22" rx="11" fill="${lead ? COLOR.red : COLOR.raised}"/>
    <clipPath id="bar"><rect x="${left}" y="${barTop}" width="${width}" height="22" rx="11"/></clipPath>
    <rect x="${left}" y="${barTop}" width="${bullWidth}" height="22" fill="${COLOR.green}" clip-path="url(#bar)"/>`;
  const behind = `<rect x="84" y="72" width="372" height="496" rx="36" fill="${COLOR.raised}" stroke="${COLOR.line}" stroke-width="2" transform="rotate(5 270 320)"/>`;
  return finish(ground(behind + bar + mark(left - 8, brandTop, BRAND_PX)), [
    at(picture, 270 - picture.width / 2, CARD_HEIGHT / 2 - picture.height / 2),
    at(category, left, 54),
    at(name, left, 54 + 48),
    at(share, left, barTop - 20 - share.height),
    ...(word ? [at(word, left + share.width + 18, barTop - 58)] : []),
    ...evidence,
    word2,
  ]);
}

export async function drawSiteCard(pictures: Buffer[]): Promise<Buffer> {
  const tilts = [-13, 13, 0];
  const centres = [738, 984, 861];
  const [title, lead, word, ...cards] = await Promise.all([
    drawText('Swipe.\nVote.\nEarn.', { sizePx: 96, color: COLOR.text }),
    drawText('Rate crypto projects on Sui, earn Snaps for every vote.', {
      sizePx: 32,
      color: COLOR.muted,
      maxWidth: 470,
    }),
    brand(64, 56),
    ...pictures
      .slice(0, 3)
      .map((picture, i) => frame(picture, { width: 276, height: 368, radius: 30, tilt: tilts[i] ?? 0 })),
  ]);
  return finish(ground(mark(64, 56, BRAND_PX)), [
    word,
    at(title, 72, 146),
    at(lead, 72, 574 - lead.height),
    ...cards.map((card, i) => at(card, (centres[i] ?? 0) - card.width / 2, 316 - card.height / 2)),
  ]);
}

export async function drawLeaderboardCard(projects: CardProject[], note: string | null): Promise<Buffer> {
  const rowTop = (i: number) => 202 + i * 128;
  const rows = await Promise.all(
    projects.slice(0, 3).map(async (project, i) => {
      const [picture, rank, name, share, votes, evidence] = await Promise.all([
        frame(project.picture, { width: 88, height: 88, radius: 20 }),
        drawText(String(i + 1), { sizePx: 34, color: '#1a1205' }),
        fitText(cardName(project), { width: 560, height: 52, sizesPx: [44, 38, 32], color: COLOR.text, isLevel: true }),
        totalOf(project.votes) === 0
          ? drawText('–', { sizePx: 52, color: COLOR.muted })
          : drawText(`${project.bullishPercentage}%`, {
              sizePx: 52,
              color: COLOR[percentTone(project.bullishPercentage)],
            }),
        drawText(totalOf(project.votes) === 0 ? 'no votes yet' : votesText(totalOf(project.votes)), {
          sizePx: 26,
          color: COLOR.muted,
        }),
        drawLines(rowText(project), { width: 600, left: 292, top: rowTop(i) + 70 }),
      ]);
      const middle = rowTop(i) + 56;
      return [
        at(rank, 124 - rank.width / 2, middle - rank.height / 2),
        at(picture, 176, middle - 44),
        at(name, 292, middle + 12 - name.height),
        ...evidence,
        at(share, 1104 - share.width, middle - 42),
        at(votes, 1104 - votes.width, middle + 14),
      ];
    }),
  );
  const panels = rows
    .map(
      (_, i) =>
        `<rect x="64" y="${rowTop(i)}" width="1072" height="112" rx="28" fill="${COLOR.surface}" stroke="${COLOR.line}" stroke-width="2"/>
        <circle cx="124" cy="${rowTop(i) + 56}" r="30" fill="${COLOR.medals[i] ?? COLOR.raised}"/>`,
    )
    .join('');
  const [title, line, word] = await Promise.all([
    drawText('Project Leaderboard', { sizePx: 68, color: COLOR.text }),
    note === null ? null : drawText(note, { sizePx: 28, color: COLOR.muted }),
    brand(CARD_WIDTH - 352, 58),
  ]);
  return finish(ground(panels + mark(CARD_WIDTH - 352, 58, BRAND_PX)), [
    at(title, 64, 64),
    ...(line ? [at(line, 68, 152)] : []),
    word,
    ...rows.flat(),
  ]);
}
