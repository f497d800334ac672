import path from 'node:path';
import { expect, test } from 'vitest';
import { DATA, type Data, keptWords } from '#db/tables.ts';
import { createTestApp, startServer } from '#lab/testing/app.ts';
import { sql } from 'kysely';
import type { SiteConfig } from '#shared/contract/site.ts';
import { Client, newUser, signInWith } from '#lab/testing/client.ts';
import { deleteAccount } from '#lab/testing/deletion.ts';
import { newDraft, prepareSubmit } from '#lab/testing/drafts.ts';
import { makeFiles } from '#lab/testing/built-page.ts';

const server = await createTestApp({
  env: { OPERATOR: 'Reef <b>& Sons</b>; 1 Pier; privacy@reef.example' },
});
const { db } = server.services;
const folder = await makeFiles({ 'terms.md': '# House rules\n\n- Be kind' });

const read = async (url: string, at: string) => {
  const response = await fetch(url + at, { redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

test('privacy names the operator, and every kind of personal data with the time that the jobs keep it [R55]', async () => {
  const { status, headers, text } = await read(server.url, '/privacy');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  for (const part of ['Reef &lt;b&gt;&amp; Sons&lt;/b&gt;', '1 Pier', 'href="mailto:privacy@reef.example"'])
    expect(text).toContain(part);
  const personal = Object.values<Data>(DATA).filter(({ isPersonal = true }) => isPersonal);
  for (const { data, kept } of personal) {
    const row = text.split('<tr>').find((line) => line.includes(`<td>${data}</td>`));
    expect(row?.toLowerCase()).toContain(keptWords(kept).toLowerCase());
  }
  expect(text.split('<tr>')).toHaveLength(personal.length + 2);
  const [, list = ''] = text.split(/<\/?ul>/);
  for (const part of ['coins of projects that you voted on', 'kinds of notifications you chose'])
    expect(list).toContain(part);
});

test('privacy says that the Book is a public list of wallets and sums, which outlives an account [R85 R97]', async () => {
  const [, others = ''] = (await read(server.url, '/privacy')).text.split('What others can see');
  const [shown = ''] = others.split('Your rights');
  expect(shown).toMatch(/the Book, a public list on Sui of wallets and of the sum that each was ever paid/);
  expect(shown).toMatch(/not even when you delete your account/);
});

test('privacy says whether the log holds addresses of people, and names no operator where none is set [R67]', async () => {
  expect((await read(server.url, '/privacy')).text).toContain(
    'The log of requests does not hold the address that you come from',
  );
  const logging = await startServer(server.databaseUrl, { env: { LOG_ADDRESSES: 'true' } });
  const { text } = await read(logging.url, '/privacy');
  await logging.close();
  expect(text).toContain('The log of requests holds the address that you come from');
  expect(text).not.toContain('Who runs this site');
});

test.each([
  ['/trust/record', 'The public record'],
  ['/trust/standing', 'Which votes are verified'],
])('%s is a page and, for programs, Markdown, both with an ETag [R63]', async (path, title) => {
  const page = await read(server.url, path);
  expect(page.text).toContain(`href="${path}.md"`);
  const { status, headers, text } = await read(server.url, `${path}.md`);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
  expect(text).toMatch(new RegExp(`^# ${title}\n`));
  expect(text).not.toMatch(/\]\((?!https:)|\(R\d+\)|\(\w+\.md\)/);
  expect(headers.get('cache-control')).toBe(page.headers.get('cache-control'));
  const etag = headers.get('etag') ?? '';
  const again = await fetch(`${server.url}${path}.md`, { headers: { 'if-none-match': etag } });
  expect(again.status).toBe(304);
});

test('both documents work without scripts, have header, theme and footer, and nothing in them can be sent anywhere', async () => {
  for (const at of ['/privacy', '/terms']) {
    const { status, headers, text } = await read(server.url, at);
    expect(status).toBe(200);
    // The one script follows the choice of theme; its button is not shown without it.
    expect(text.split('<script')).toHaveLength(2);
    expect(text).toMatch(/<button [^>]*hidden>/);
    expect(text.split('<footer>')[1]).toMatch(/href="\/terms".*href="\/privacy"/);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none';.*script-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
  }
});

test("the operator's own texts replace them: a Markdown file, or another address", async () => {
  const env = { PRIVACY_TEXT: 'https://reef.example/privacy', TERMS_TEXT: path.join(folder, 'terms.md') };
  const own = await startServer(server.databaseUrl, { env });
  try {
    const privacy = await read(own.url, '/privacy');
    expect([privacy.status, privacy.headers.get('location')]).toEqual([302, 'https://reef.example/privacy']);
    const terms = await read(own.url, '/terms');
    expect(terms.text).toContain('<h1>House rules</h1>');
    expect(terms.text).toContain('<li>Be kind</li>');
  } finally {
    await own.close();
  }
  const missing = { TERMS_TEXT: path.join(folder, 'none.md') };
  await expect(startServer(server.databaseUrl, { env: missing })).rejects.toThrow('none.md');
});

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
