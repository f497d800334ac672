import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject } from '#lab/testing/builders.ts';
import { newUser } from '#lab/testing/client.ts';
import { newDraft, submitPaid } from '#lab/testing/drafts.ts';
import { ADMIN_KEYPAIR } from '#lab/testing/wallets.ts';
import { lookAlikeKeys } from './look-alike-keys.ts';
import { findLookAlikes, keyNames } from './look-alikes.ts';

const server = await createTestApp();
const { db } = server.services;

const spell = (name: string, letters: Record<string, string>): string =>
  Array.from(name, (letter) => letters[letter.toLowerCase()] ?? letter).join('');
/** Letters of another alphabet, which begins at this code point. */
const boxed = (name: string, first: number): string =>
  name.replaceAll(/[a-z]/gi, (letter) => String.fromCodePoint(letter.toLowerCase().charCodeAt(0) - 97 + first));

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
  ['a trademark sign', (name) => `${name}™`],
  ['a raised trademark sign', (name) => `${name}ᵀᴹ`],
  ['a service mark sign before the last word', (name) => name.replace(/ (?=\S+$)/, '℠ ')],
  ['a digit for an i', (name) => name.replace('i', '1')],
  ['an exclamation mark for an i', (name) => name.replace('i', '!')],
  ['a seven for a t', (name) => name.replace(/t/i, '7')],
  ['a plus sign for a t', (name) => name.replace(/t/i, '+')],
  [
    'digits for all letters that they can stand for',
    (name) => spell(name, { o: '0', i: '1', l: '1', e: '3', a: '4', s: '5' }),
  ],
  ['signs and digits mixed', (name) => spell(name, { a: '@', s: '$', t: '7', b: '8' })],
  ['a Greek ω for a w and ε for an e', (name) => spell(name, { w: 'ω', e: 'ε', o: 'ο' })],
  ['small capitals', (name) => spell(name, { i: 'ɪ', d: 'ᴅ', o: 'ᴏ', p: 'ᴘ', s: 'ꜱ', l: 'ʟ' })],
  ['letters in circles', (name) => boxed(name, 0x24d0)],
  ['letters in dark squares', (name) => boxed(name, 0x1f170)],
  ['letters of flags', (name) => boxed(name, 0x1f1e6)],
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
  ['Reef 2', 'Reef 9'],
  ['Moon 🇺🇸', 'Moon Sun'],
  ['🇺🇸', '🇩🇪'],
  ['Area 51', 'Area'],
];

const shareKey = (one: string, other: string): boolean =>
  lookAlikeKeys(one).some((key) => lookAlikeKeys(other).includes(key));

describe('look-alike names share a key [R74]', () => {
  test.each(NAMES.flatMap((name) => DISGUISES.map(([how, disguise]) => [name, how, disguise(name)])))(
    'the name %s with %s shares a key with it: %s [R74]',
    (name, _how, disguised) => {
      expect(disguised).not.toBe(name);
      expect(shareKey(disguised, name)).toBe(true);
    },
  );

  test.each(HONEST)('%s and %s do not share a key', (one, other) => {
    expect(shareKey(one, other)).toBe(false);
  });

  test.each(['', ' ', '.', 'The', 'Official', 'Real Official', '\u200b', '\ud800', 'x'.repeat(60), '🏴󠁧󠁢󠁥󠁮󠁧󠁿'])(
    'any text has keys, in which its case does not count: %j',
    (name) => {
      expect(lookAlikeKeys(name)).not.toHaveLength(0);
      expect(lookAlikeKeys(name)).toEqual(lookAlikeKeys(name.toLowerCase().toUpperCase()));
      expect(lookAlikeKeys(name).join('')).not.toContain(' ');
    },
  );
});

describe('existing look-alikes of a new name', () => {
  const namesOf = async (name: string, exceptId?: number) =>
    (await findLookAlikes(db, name, exceptId)).map((found) => found.name);

  test('look-alikes are found in any disguise, even expired ones, but neither hidden ones nor the project itself', async () => {
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
    const keysOf = async () =>
      (await db.selectFrom('projects').select('lookAlikeKeys').where('id', '=', body.id).executeTakeFirstOrThrow())
        .lookAlikeKeys;
    expect(await keysOf()).toEqual(lookAlikeKeys('Lantern Bay'));
    expect((await admin.patch(`/api/projects/${body.id}/update`, { name: 'Lantern Cove' })).status).toBe(200);
    expect(await keysOf()).toEqual(lookAlikeKeys('Lantern Cove'));
    expect(await namesOf('Lantern Bay')).toEqual([]);
    await sql`UPDATE projects SET name = 'Lantern Point' WHERE id = ${body.id}`.execute(db);
    expect(await keysOf()).toBeNull();
    expect(await namesOf('Lantern P0int')).toEqual(['Lantern Point']);
    expect(await keysOf()).toEqual(lookAlikeKeys('Lantern Point'));
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
    await sql`ANALYZE projects`.execute(db);
    const { rows } = await sql<Record<string, string>>`
      EXPLAIN SELECT id FROM projects WHERE look_alike_keys && ARRAY['x'] AND hidden_at IS NULL LIMIT 10`.execute(db);
    expect(JSON.stringify(rows)).toContain('projects_look_alike_keys_idx');
  });
});
