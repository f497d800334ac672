import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PAYMENT_MAX_AGE_HOURS } from './constants.ts';
import { type Retention, RETENTION, keptMs, keptWords } from './retention.ts';

const schema = readFileSync(new URL('../db/schema.sql', import.meta.url), 'utf8');
const all: readonly Retention[] = Object.values(RETENTION);

test('every table of the database has a retention time for its rows', () => {
  const tables = [...schema.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, name = '']) => name);
  expect(tables.length).toBeGreaterThan(40);
  expect([...new Set(all.flatMap((each) => each.tables))].toSorted()).toEqual(tables.toSorted());
});

test('tables are personal exactly where they lead to a user or an admin [R55]', () => {
  const LEADS_TO_SOMEBODY = /^ {2}(user_id|owner_id|wallet_address|actor|payer|recipient) /m;
  const columnsOf = new Map(
    [...schema.matchAll(/^CREATE TABLE (\w+) \((.*?)^\)/gms)].map(([, name = '', columns = '']) => [name, columns]),
  );
  // Pictures have neither, and may show any person.
  const isPersonal = (table: string): boolean =>
    table === 'images' || LEADS_TO_SOMEBODY.test(columnsOf.get(table) ?? '');
  // The session of an admin is a session of a user, by its hash.
  const expected = all.map(({ data, tables }) => [data, tables.includes('admin_sessions') || tables.some(isPersonal)]);
  expect(all.map(({ data, personal }) => [data, personal])).toEqual(expected);
});

test('the picture of an order is kept longer than its payment may take to arrive', () => {
  expect(keptMs(RETENTION.orderPictures.kept)).toBeGreaterThan(PAYMENT_MAX_AGE_HOURS * 3_600_000);
  expect(keptMs(RETENTION.unpaidOrders.kept)).toBeGreaterThan(keptMs(RETENTION.orderPictures.kept));
});

test('times have words, and a length in milliseconds', () => {
  expect([{ minutes: 5 }, { hours: 1 }, { days: 30 }, { newest: 200 }, 'permanently' as const].map(keptWords)).toEqual([
    '5 minutes',
    '1 hour',
    '30 days',
    'the newest 200 of each user',
    'permanently',
  ]);
  expect([{ minutes: 5 }, { hours: 2 }, { days: 1 }].map(keptMs)).toEqual([300_000, 7_200_000, 86_400_000]);
});
