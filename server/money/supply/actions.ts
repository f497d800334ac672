import type { Db } from '#db/client.ts';
import type { Supply } from '#shared/contract/supply.ts';
import { createSnapshots } from '#server/kit/cache/snapshot.ts';
import { notReadable } from '#server/kit/http/errors.ts';
import { findSupply } from './queries.ts';
import { currentWaits } from './waits.ts';

const snapshotOf = createSnapshots<Supply>({ freshMs: 5_000, busyShare: 1 / 20, notNow: notReadable });

const load = async (db: Db): Promise<Supply> => {
  const [supply, waits] = await Promise.all([findSupply(db), currentWaits(db)]);
  return { ...supply, waits };
};

export const currentSupply = (db: Db, now?: () => number, read = load): Promise<Supply> => snapshotOf(db, read, now);
