/** Changes of mind: the next day with all 25 votes used, and after two weeks, from the card of what moved. */
import { dayText } from '#shared/text/day-text.ts';
import { swipe } from './deck.ts';
import {
  byFinger,
  chooseInMenu,
  type Database,
  deckOf,
  expect,
  logo,
  look,
  press,
  signIn,
  test,
  topCard,
} from './door.ts';
import { letDaysPass } from './older-votes.ts';
import { expectContentAlive, expectVisibleToPerson } from './see.ts';

const DAY_MS = 86_400_000;

/** Fills the window of the wallet. */
const useAllVotes = (database: Database, wallet: string) =>
  database.query(
    `UPDATE user_stats SET window_votes = 25, window_started_at = now() WHERE user_id = (SELECT id FROM users WHERE wallet_address = $1)`,
    [wallet],
  );

test('a person who has used all 25 votes changes their mind about a vote of the day before, which takes its reason away, and the chart shows it [R57 R59 R89]', async ({
  page,
  database,
  loads,
  isMobile,
}) => {
  // The devices change their minds at the same time.
  await page.goto(isMobile ? '/projects/relaykite' : '/projects/harborline');
  const panel = page.getByRole('region', { name: 'Your vote' });
  const [bullish, bearish] = [
    panel.getByRole('button', { name: 'Bullish' }),
    panel.getByRole('button', { name: 'Bearish' }),
  ];
  const reason = panel.getByRole('group', { name: /^Why\?/ }).getByRole('button', { name: 'Token' });
  const wallet = await signIn(page, { opener: bullish });
  await expect(panel.getByText(/^\d+ of \d+ others? voted like you$/)).toBeVisible({ timeout: 20_000 });
  await press(reason);
  await expect(reason).toHaveAttribute('aria-pressed', 'true');
  await expect(panel.getByText(`Bullish since ${dayText(new Date().toISOString())}`)).toBeVisible();
  await expectVisibleToPerson(panel.getByText(/^Counts on Monday \d+ \w+, if you hold 1 SUI$/));

  await letDaysPass(database, wallet, { days: 1 });
  loads.expected += 1;
  await page.reload();
  await expectVisibleToPerson(panel.getByText(`Bullish since ${dayText(new Date(Date.now() - DAY_MS).toISOString())}`));
  await useAllVotes(database, wallet);
  await press(logo(page));
  const used = page.getByRole('region', { name: 'All votes used' });
  await expectVisibleToPerson(used.getByText('25 of 25, +250 Snaps'));
  await expectVisibleToPerson(used.getByText(/^25 votes from \d\d:\d\d$/));
  await expectVisibleToPerson(used.getByRole('link', { name: 'Leaderboard' }));
  await chooseInMenu(page, 'Portfolio');
  await press(page.getByRole('list', { name: 'All your calls' }).getByRole('link', { name: /^Change your vote on / }));
  await expect(panel.getByText('Bearish now, or still bullish?')).toBeVisible();
  await press(panel.getByRole('button', { name: 'Cancel' }));
  await expectVisibleToPerson(reason);
  await expect(reason).toHaveAttribute('aria-pressed', 'true');
  await press(panel.getByRole('button', { name: 'Change' }));
  await expect(bearish).toBeFocused();
  await expect(panel.getByText('Bearish now, or still bullish?')).toBeVisible();
  await press(bearish);
  await expect(bearish).toHaveAttribute('aria-pressed', 'true');
  await expect(panel.getByText(/^\d+ of \d+ others? voted like you$/)).toBeVisible({ timeout: 20_000 });
  await expectVisibleToPerson(panel.getByText(`Bearish since ${dayText(new Date().toISOString())}`));
  await expect(panel.getByRole('button', { name: 'Change' })).toHaveCount(0);
  await expectVisibleToPerson(reason);
  await expect(reason).toHaveAttribute('aria-pressed', 'false');

  await expectContentAlive(page);

  await chooseInMenu(page, 'Portfolio');
  const recent = page.getByRole('region', { name: 'Recent Voting History' }).getByRole('listitem');
  await expect(recent).toHaveText([/Bearish.*\+10 tokens/]);
  const calls = page.getByRole('region', { name: 'Your calls' });
  const today = dayText(new Date().toISOString());
  await expectVisibleToPerson(calls.getByRole('listitem').getByText(new RegExp(`^Bearish ${today}( at .+, now .+)?$`)));
  await expectVisibleToPerson(calls.getByText(/^None of your calls counts yet/));
  await expectContentAlive(page);
});

const AWAY_DAYS = 14;

interface Moved {
  slug: string;
  name: string;
}

/** The two open listings whose verified share has moved most in two weeks. */
async function movedListings(database: Database): Promise<[Moved, Moved]> {
  const { rows } = await database.query<Moved>(
    `SELECT p.slug, p.name FROM projects p JOIN verified_stats n ON n.project_id = p.id
     CROSS JOIN LATERAL (SELECT verified_bullish AS bullish, verified_bearish AS bearish FROM project_days d
       WHERE d.project_id = p.id AND d.day < (now() AT TIME ZONE 'UTC')::date - $1::int ORDER BY d.day DESC LIMIT 1) was
     WHERE p.listed AND p.expires_at > now() + interval '1 day' AND p.id NOT IN (SELECT project_id FROM identity_changes)
       AND least(n.bullish + n.bearish, was.bullish + was.bearish) >= 10
     ORDER BY abs(n.bullish::float8 / (n.bullish + n.bearish) - was.bullish::float8 / (was.bullish + was.bearish)) DESC, p.id LIMIT 2`,
    [AWAY_DAYS],
  );
  const [first, second] = rows;
  if (!first || !second) throw new Error('no two listings have verified votes of two weeks ago');
  return [first, second];
}

test('a return after two weeks shows which calls moved, takes a change of one and starts the day, once a day [R95]', async ({
  page,
  database,
  loads,
}) => {
  const [{ slug, name }, other] = await movedListings(database);
  await page.goto(`/projects/${slug}`);
  const panel = page.getByRole('region', { name: 'Your vote' });
  const [bullish, bearish] = [
    panel.getByRole('button', { name: 'Bullish' }),
    panel.getByRole('button', { name: 'Bearish' }),
  ];
  const wallet = await signIn(page, { opener: bullish });
  await expect(panel.getByText(/voted like you$/)).toBeVisible({ timeout: 20_000 });

  loads.expected += 1;
  await page.goto(`/projects/${other.slug}`);
  await press(bullish);
  await expect(panel.getByText(/voted like you$/)).toBeVisible({ timeout: 20_000 });

  await letDaysPass(database, wallet, { days: AWAY_DAYS });
  loads.expected += 1;
  await page.goto('/');
  const card = deckOf(page).getByRole('region', { name: /^Since \d+ \w+: . of your . calls? moved$/ });
  await expectVisibleToPerson(card.getByRole('heading', { name: /2 of your 2 calls moved$/ }));
  const lineOf = (of: string) => new RegExp(`^${of}Changethen \\d+%now \\d+%$`);
  await expect(card.getByRole('listitem')).toHaveText([lineOf(name), lineOf(other.name)]);
  await expectContentAlive(page);
  await look(page);
  await press(card.getByRole('link', { name: `Change your vote on ${name}` }));
  await expect(panel.getByText('Bearish now, or still bullish?')).toBeVisible();
  await press(bearish);
  await expect(bearish).toHaveAttribute('aria-pressed', 'true');
  await press(logo(page));
  await expectVisibleToPerson(card.getByRole('heading', { name: /1 of your 1 call moved$/ }));
  await expect(card.getByRole('listitem')).toHaveText([lineOf(other.name)]);
  if (byFinger()) await swipe(page, 170, card);
  else await press(card.getByRole('button', { name: "Start today's ten" }));
  await expect(card).toHaveCount(0);
  await expectVisibleToPerson(topCard(page));

  loads.expected += 1;
  await page.reload();
  await expectVisibleToPerson(topCard(page));
  await chooseInMenu(page, 'Portfolio');
  await expectVisibleToPerson(
    page.getByRole('list', { name: 'All your calls' }).getByRole('link', { name, exact: true }),
  );
  await press(logo(page));
  await expectVisibleToPerson(topCard(page));
  await expect(card).toHaveCount(0);
});
