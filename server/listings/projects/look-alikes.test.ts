import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject } from '#lab/testing/builders.ts';
import { newUser } from '#lab/testing/client.ts';
import { newDraft, submitPaid } from '#lab/testing/drafts.ts';
import { ADMIN_KEYPAIR } from '#lab/testing/wallets.ts';
import { lookAlikeKey } from './look-alike-key.ts';
import { findLookAlikes, keyNames } from './look-alikes.ts';

const server = await createTestApp();
const { db } = server.services;

/** Look-alike spellings of a name. */
const DISGUISES: Array<[how: string, disguise: (name: string) => string]> = [
  ['a Cyrillic Т', (name) => name.replace('T', 'Т')],
  ['a Cyrillic о', (name) => name.replaceAll('o', 'о')],
  ['a Cyrillic і', (name) => name.replace('i', 'і')],
  ['underlined letters', (name) => Array.from(name, (letter) => `${letter}\u0332`).join('')],
  ['a capital I for an l', (name) => name.replace('l', 'I')],
  ['a zero for an o', (name) => name.replace('o', '0')],
  ['no space', (name) => name.replaceAll(' ', '')],
  ['a dot behind it', (name) => `${name}.`],
  ['a check mark', (name) => `${name} ✓`],
  ['the word Official', (name) => `Official ${name}`],
  ['an invisible letter', (name) => `${name.slice(0, 3)}\u200b${name.slice(3)}`],
  [
    'wide letters',
    (name) => name.replaceAll(/[A-Za-z]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)),
  ],
  [
    'mathematical letters',
    (name) => name.replaceAll(/[a-z]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0x1d5ba - 97)),
  ],
];

const NAMES = ['Tidepool Swap', 'Toril Finance', 'Tilo & Co'];

/** Pairs of honest names. */
const HONEST: Array<[one: string, other: string]> = [
  ['Tidepool Swap', 'Tidepool Lend'],
  ['Tidepool Swap', 'Tidepools'],
  ['Coral Swap', 'Coral Snap'],
  ['Moon Cat', 'Moon Bat'],
  ['Kelp', 'Help'],
  ['Reef', 'Reef 2'],
  ['Base', 'Bass'],
  ['Sui Cats', 'Sui Bats'],
  ['Glass Orchard', 'Glass Orchid'],
  ['Northwind', 'Northwing'],
  ['Aether', 'Ether'],
  ['Copper Kettle', 'Copper Nettle'],
  ['Layer One', 'Layer Two'],
  ['Inky Eight', 'Inky Night'],
  ['カメ', 'ガメ'],
  ['हिन्दी', 'हिन्दु'],
  ['Привет', 'Приват'],
  ['深海', '深港'],
  ['🚀', '🌊'],
  ['Gulp the Frog', 'Gulp the Dog'],
];

describe('look-alike names share a key', () => {
  test.each(NAMES.flatMap((name) => DISGUISES.map(([how, disguise]) => [name, how, disguise(name)])))(
    'the name %s with %s has the same key: %s',
    (name, _how, disguised) => {
      expect(disguised).not.toBe(name);
      expect(lookAlikeKey(disguised)).toBe(lookAlikeKey(name));
    },
  );

  test.each(HONEST)('%s and %s do not share a key', (one, other) => {
    expect(lookAlikeKey(one)).not.toBe(lookAlikeKey(other));
  });

  test.each(['', ' ', '.', 'The', 'Official', 'Real Official', '\u200b', '\ud800', 'x'.repeat(60), '🏴󠁧󠁢󠁥󠁮󠁧󠁿'])(
    'any text has a key: %j',
    (name) => {
      expect(typeof lookAlikeKey(name)).toBe('string');
      expect(lookAlikeKey(name)).toBe(lookAlikeKey(name.toLowerCase().toUpperCase()));
    },
  );
});

describe('existing look-alikes of a new name', () => {
  const namesOf = async (name: string, exceptId?: number) =>
    (await findLookAlikes(db, name, exceptId)).map((found) => found.name);

  test('look-alikes are found in any disguise, also expired ones, but neither hidden ones nor the project itself', async () => {
    const id = await insertProject(db, { name: 'Harbor Light' });
    const expired = await insertProject(db, { name: 'Harbour Light', expiresInDays: -3 });
    await insertProject(db, { name: 'Harbor-Light', hidden: true });
    for (const [, disguise] of DISGUISES) expect(await namesOf(disguise('Harbor Light'))).toEqual(['Harbor Light']);
    expect(await namesOf('HARBOUR LIGHT!')).toEqual(['Harbour Light']);
    expect(await namesOf('Harbor Lights')).toEqual([]);
    expect(await namesOf('Harbor. Light', id)).toEqual([]);
    expect(await namesOf('Harbor. Light', expired)).toEqual(['Harbor Light']);
  });

  test("look-alikes are found by a project's present name: after a listing, a rename by its owner, and one by the console", async () => {
    const admin = await newUser(server, ADMIN_KEYPAIR);
    const { body } = await submitPaid<{ id: number }>(admin, await newDraft({ name: 'Lantern Bay' }));
    const keyOf = async () =>
      (await db.selectFrom('projects').select('lookAlikeKey').where('id', '=', body.id).executeTakeFirstOrThrow())
        .lookAlikeKey;
    expect(await keyOf()).toBe(lookAlikeKey('Lantern Bay'));
    expect((await admin.patch(`/api/projects/${body.id}/update`, { name: 'Lantern Cove' })).status).toBe(200);
    expect(await keyOf()).toBe(lookAlikeKey('Lantern Cove'));
    expect(await namesOf('Lantern Bay')).toEqual([]);
    await sql`UPDATE projects SET name = 'Lantern Point' WHERE id = ${body.id}`.execute(db);
    expect(await keyOf()).toBeNull();
    expect(await namesOf('Lantern P0int')).toEqual(['Lantern Point']);
    expect(await keyOf()).toBe(lookAlikeKey('Lantern Point'));
  });

  test('look-alikes from before keys existed are found once the job has computed all keys', async () => {
    const ownerId = (await newUser(server)).id;
    await sql`INSERT INTO projects (slug, name, category, description, image_hash, twitter_handle, owner_id, expires_at)
      SELECT 'old-' || n, 'Old Name ' || n, 'DeFi', 'x', '', 'x', ${ownerId}, now() + interval '1 day' FROM generate_series(1, 1200) n`.execute(
      db,
    );
    expect(await keyNames({ db })).toBeGreaterThanOrEqual(1_200);
    expect(await keyNames({ db })).toBe(0);
    expect(await namesOf('OId Name 1199')).toEqual(['Old Name 1199']);
    const { rows } = await sql<Record<string, string>>`
      EXPLAIN SELECT id FROM projects WHERE look_alike_key = 'x' AND hidden_at IS NULL LIMIT 10`.execute(db);
    expect(JSON.stringify(rows)).toContain('projects_look_alike_key_idx');
  });
});
