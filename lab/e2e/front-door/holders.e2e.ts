/** The admin names a project's coin and its minimum: after the next reading, the page shows the votes of holders and of others. */
import { fundWallet } from '../chain.ts';
import { type Database, expect, openAdminPanel, press, signIn, test } from './door.ts';
import { setCoin } from './moderation.ts';
import { expectContentAlive, expectScreenAlive, expectVisibleToPerson } from './see.ts';

const [SLUG, NAME] = ['longship-mutiny', 'Longship Mutiny'];
const COIN = '0x2::sui::SUI';
/** The faucet gives more than this; wallets of the demo have less. */
const MINIMUM = 150;
const HOLDERS = 12;

interface Voter {
  id: number;
  wallet: string;
}

async function verifiedVoters(database: Database): Promise<Voter[]> {
  const { rows } = await database.query<Voter>(
    `SELECT u.id::int AS id, u.wallet_address AS wallet FROM vote_states s JOIN projects p ON p.id = s.project_id JOIN users u ON u.id = s.user_id
     WHERE p.slug = $1 AND s.state = 'verified' AND s.replaced_at IS NULL ORDER BY s.bullish, u.id`,
    [SLUG],
  );
  return rows;
}

/**
 * The coin was set six days ago, and the three days before the newest reading are read: only the wallets in `holders` held it. The server
 * reads the newest day, from the chain.
 */
async function letThreeDaysBeRead(
  database: Database,
  voters: readonly Voter[],
  holders: readonly Voter[],
): Promise<void> {
  await database.query('UPDATE projects SET coin_set_on = coin_set_on - 6 WHERE slug = $1', [SLUG]);
  await database.query(
    `INSERT INTO holder_standing (project_id, user_id, read_on, days_read, days_held)
     SELECT p.id, v, (SELECT max(day) - 1 FROM standing_days WHERE skipped IS NULL), 3, CASE WHEN v = ANY ($3) THEN 7 ELSE 0 END
     FROM projects p CROSS JOIN unnest($2::bigint[]) v WHERE p.slug = $1
     ON CONFLICT (project_id, user_id) DO UPDATE SET read_on = excluded.read_on, days_read = excluded.days_read, days_held = excluded.days_held`,
    [SLUG, voters.map(({ id }) => id), holders.map(({ id }) => id)],
  );
  await database.query('DELETE FROM holder_readings');
}

test("after the next reading a project's page shows the votes of its coin's holders and of others apart [R73]", async ({
  page,
  database,
  loads,
}) => {
  const voters = await verifiedVoters(database);
  const holders = voters.slice(0, HOLDERS);
  expect(voters.length).toBeGreaterThanOrEqual(HOLDERS + 10);
  for (const { wallet } of holders) await fundWallet(wallet);

  await page.goto('/');
  await signIn(page, { admin: true });
  await openAdminPanel(page);
  await setCoin(page, NAME, { coinType: COIN, minimum: MINIMUM });
  await letThreeDaysBeRead(database, voters, holders);
  const shown = async () =>
    (
      await database.query('SELECT FROM holder_figures f JOIN projects p ON p.id = f.project_id WHERE p.slug = $1', [
        SLUG,
      ])
    ).rows.length;
  await expect.poll(shown, { timeout: 180_000 }).toBe(1);

  loads.expected += 1;
  await page.goto(`/projects/${SLUG}`);
  await expectScreenAlive(page, NAME);
  const line = page.getByText(/^Holders \d+% of \d+ · others \d+% of \d+$/);
  await expectVisibleToPerson(line);
  const [held = 0, ofHolders = 0, others = 0, ofOthers = 0] =
    ((await line.textContent()) ?? '').match(/\d+/g)?.map(Number) ?? [];
  expect(ofHolders).toBe(HOLDERS);
  expect(ofOthers).toBeGreaterThanOrEqual(10);
  expect(held).toBeLessThan(others);
  await expect(line).toHaveAttribute('title', /holders likely \d+–\d+%, others \d+–\d+%/);
  await press(page.getByRole('link', { name: 'Insights' }));
  await expectVisibleToPerson(
    page
      .getByRole('region', { name: 'Holders and others' })
      .getByText(`Holders ${held}% of ${ofHolders}`, { exact: false }),
  );
  await expectContentAlive(page);
});
