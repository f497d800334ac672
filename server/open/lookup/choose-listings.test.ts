import { expect, test } from 'vitest';
import { chooseListings, type NamingListing } from './choose-listings.ts';

const [PACKAGE, OTHER] = [`0x${'0'.repeat(61)}abc`, `0x${'0'.repeat(61)}def`];
const COIN = `${PACKAGE}::coin::COIN`;
const FOREIGN_COIN = `${OTHER}::coin::COIN`;

let serial = 0;
/** A listing that names the coin and its package, younger than the ones before. */
function listing(changes: Partial<NamingListing> = {}): NamingListing {
  serial += 1;
  const named = { coinType: COIN, packageId: PACKAGE, coinSource: 'lister', state: null, subject: null } as const;
  return { id: serial, slug: `listing-${serial}`, ...named, ...changes };
}

const [SET, PROVEN, CONTROLS] = [
  { coinSource: 'catalogue' },
  { coinSource: 'moderator', state: 'proven' },
  { state: 'controls' },
] as const;

/** Ranks of a listing for the coin that it names, and for the package. */
const ROWS: ReadonlyArray<[what: string, changes: Partial<NamingListing>, coin: number, package_: number]> = [
  ['typed by its lister', {}, 0, 0],
  ['typed, with a lost proof', { state: 'lost', subject: COIN }, 0, 0],
  ['typed, with control of a foreign coin', { ...CONTROLS, subject: FOREIGN_COIN }, 0, 0],
  ['typed, with control of a foreign package', { ...CONTROLS, subject: OTHER }, 0, 0],
  ['typed, with control of the package', { ...CONTROLS, subject: PACKAGE }, 0, 1],
  ['typed, with control of the coin', { ...CONTROLS, subject: COIN }, 1, 1],
  ['set by the catalogue', SET, 2, 2],
  ['set by a moderator', { coinSource: 'moderator' }, 2, 2],
  ['set by a moderator, with a lost proof', { coinSource: 'moderator', state: 'lost', subject: COIN }, 2, 2],
  ['set, with a proof of the package', { ...PROVEN, subject: PACKAGE }, 2, 3],
  ['set, with a proof of the coin', { ...PROVEN, subject: COIN }, 3, 3],
  ['typed, with the coin accepted by the admin', { state: 'accepted', subject: COIN }, 3, 3],
  ['typed, with the package accepted by the admin', { state: 'accepted', subject: PACKAGE }, 0, 3],
];

test.each(ROWS)(
  'a listing whose names are %s keeps each name from younger listings unless they rank higher for it [R74 R71]',
  (_what, changes, coin, package_) => {
    for (const [other, others, otherCoin, otherPackage] of ROWS) {
      const [older, younger] = [listing(changes), listing(others)];
      const chosen = chooseListings([older, younger]);
      expect(chosen.get(COIN)?.id, `the coin, beside ${other}`).toBe(otherCoin > coin ? younger.id : older.id);
      expect(chosen.get(PACKAGE)?.id, `the package, beside ${other}`).toBe(
        otherPackage > package_ ? younger.id : older.id,
      );
    }
  },
);

test('a package belongs to the listing that names it rather than to one that names a coin of it, at the same rank [R74]', () => {
  for (const rank of [{}, SET]) {
    const [byCoin, itself] = [listing({ ...rank, packageId: null }), listing({ ...rank, coinType: null })];
    expect(chooseListings([byCoin, itself]).get(PACKAGE)?.id).toBe(itself.id);
  }
});

test('a package that others only typed belongs to the listing of its coin that the catalogue set or a proof covers [R74]', () => {
  for (const rank of [SET, { ...CONTROLS, subject: COIN }]) {
    const [typed, byCoin] = [listing({ coinType: null }), listing({ ...rank, packageId: null })];
    expect(chooseListings([typed, byCoin]).get(PACKAGE)?.id).toBe(byCoin.id);
  }
});
