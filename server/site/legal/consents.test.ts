/** The terms that users agree to when they sign in and pay are stored with their version and the time. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { SiteConfig } from '#shared/contract/site.ts';
import { createTestApp, startServer } from '#lab/testing/app.ts';
import { Client, newUser, signInWith } from '#lab/testing/client.ts';
import { deleteAccount } from '#lab/testing/deletion.ts';
import { newDraft, prepareSubmit } from '#lab/testing/drafts.ts';

const server = await createTestApp();
const { db } = server.services;

interface Consent {
  version: string;
  signedIn: string | null;
  paying: string | null;
}

const consentsOf = async (userId: number): Promise<Consent[]> => {
  const { rows } =
    await sql<Consent>`SELECT terms_version AS version, signed_in_at::text AS "signedIn", paying_at::text AS paying
    FROM terms_consents WHERE user_id = ${userId} ORDER BY signed_in_at, paying_at`.execute(db);
  return rows;
};
const shownVersion = async (url: string): Promise<string | undefined> =>
  /<p>Version ([0-9a-f]{16})<\/p>/.exec(await (await fetch(`${url}/terms`)).text())?.[1];

test('a sign-in and an order to pay for note the version of the terms that /terms shows, each once [R80]', async () => {
  const user = await newUser(server);
  const [first] = await consentsOf(user.id);
  expect(first).toEqual({ version: await shownVersion(server.url), signedIn: expect.any(String), paying: null });
  await signInWith(new Client(server.url), user.wallet);
  expect(await consentsOf(user.id)).toEqual([first]);

  expect((await prepareSubmit(user, await newDraft())).status).toBe(201);
  const [paying] = await consentsOf(user.id);
  expect(paying).toEqual({ ...first, paying: expect.any(String) });
  expect((await prepareSubmit(user, await newDraft())).status).toBe(201);
  expect(await consentsOf(user.id)).toEqual([paying]);
});

test('another age or region is part of the terms, and another version with a row of its own [R80]', async () => {
  const user = await newUser(server);
  const env = { MIN_AGE: '18', EXCLUDED_REGIONS: 'Cuba, North Korea' };
  const strict = await startServer(server.databaseUrl, { env });
  try {
    await signInWith(new Client(strict.url), user.wallet);
    const version = await shownVersion(strict.url);
    expect(version).not.toBe(await shownVersion(server.url));
    expect((await consentsOf(user.id)).map((consent) => consent.version)).toEqual([
      await shownVersion(server.url),
      version,
    ]);
    const terms = await (await fetch(`${strict.url}/terms`)).text();
    expect(terms).toContain('You have to be 18 years old or older.');
    expect(terms).toContain('You may not use this site in, or as a resident of: Cuba, North Korea.');
    const site = await new Client(strict.url).get<SiteConfig>('/api/config');
    expect(site.body).toMatchObject({ minAge: 18, excludedRegions: ['Cuba', 'North Korea'] });
  } finally {
    await strict.close();
  }
  const terms = await (await fetch(`${server.url}/terms`)).text();
  expect(terms).not.toContain('Who may use this site');
});

test('the deletion of an account deletes what it agreed to [R80 R55]', async () => {
  const user = await newUser(server);
  expect(await consentsOf(user.id)).toHaveLength(1);
  expect((await deleteAccount(user)).status).toBe(200);
  expect(await consentsOf(user.id)).toEqual([]);
});
