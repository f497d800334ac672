import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PAYMENT_MAX_AGE_HOURS } from '#shared/constants.ts';
import { DATA, type Data, GUARDED, keptMs, keptWords, TABLES } from './tables.ts';

const schema = readFileSync(new URL('./schema.sql', import.meta.url), 'utf8');
const all: readonly Data[] = Object.values<Data>(DATA);
const columnsOf = new Map(
  [...schema.matchAll(/^CREATE TABLE (\w+) \((.*?)^\)/gms)].map(([, name = '', columns = '']) => [name, columns]),
);

test('every table of the database has a retention time for its rows', () => {
  expect(columnsOf.size).toBeGreaterThan(40);
  expect([...new Set(TABLES.map(([name]) => name))].toSorted()).toEqual([...columnsOf.keys()].toSorted());
});

test('each table with user data declares what archive, deletion and late rows do with it [R55]', () => {
  const ofUsers = [...columnsOf].flatMap(([name, columns]) => (/^ {2}user_id /m.test(columns) ? [name] : []));
  const declared = TABLES.filter(([, { erased, archive }]) => erased !== undefined && archive !== undefined);
  expect(declared.map(([name]) => name).toSorted()).toEqual(ofUsers.toSorted());
  const triggers = [...schema.matchAll(/TRIGGER (\w+)_keep_deleted_empty BEFORE INSERT .*\('(\w+)'\)/g)];
  const byName = ([one = '']: string[], [other = '']: string[]): number => (one < other ? -1 : 1);
  expect(triggers.map(([, name = '', late = '']) => [name, late]).toSorted(byName)).toEqual(
    GUARDED.map(({ name, late }) => [name, late]).toSorted(byName),
  );
});

test('a table is declared personal exactly when it refers to a user or an admin [R55]', () => {
  const LEADS_TO_SOMEBODY = /^ {2}(user_id|owner_id|wallet_address|actor|payer|recipient) /m;
  // Pictures have neither, and may show any person.
  const leadsToSomebody = (table: string): boolean =>
    table === 'images' || LEADS_TO_SOMEBODY.test(columnsOf.get(table) ?? '');
  // The session of an admin is a session of a user, by its hash.
  const expected = all.map(({ data, tables }) => [
    data,
    'admin_sessions' in tables || Object.keys(tables).some(leadsToSomebody),
  ]);
  expect(all.map(({ data, isPersonal = true }) => [data, isPersonal])).toEqual(expected);
});

test("an order's picture is kept longer than its payment may take to arrive", () => {
  expect(keptMs(DATA.orderPictures.kept)).toBeGreaterThan(PAYMENT_MAX_AGE_HOURS * 3_600_000);
  expect(keptMs(DATA.unpaidOrders.kept)).toBeGreaterThan(keptMs(DATA.orderPictures.kept));
});

test('retention times have a text and a length in milliseconds', () => {
  expect([{ minutes: 5 }, { hours: 1 }, { days: 30 }, { newest: 200 }, 'permanently' as const].map(keptWords)).toEqual([
    '5 minutes',
    '1 hour',
    '30 days',
    'the newest 200 of each user',
    'permanently',
  ]);
  expect([{ minutes: 5 }, { hours: 2 }, { days: 1 }].map(keptMs)).toEqual([300_000, 7_200_000, 86_400_000]);
});
