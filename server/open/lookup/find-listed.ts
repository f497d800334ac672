import { cleanLine } from '#shared/text/clean-text.ts';
import type { findListed as Asked, ListedAlready } from '#shared/contract/projects.ts';
import type { QueryOf } from '#shared/endpoint.ts';
import { describeListed } from '#server/listings/projects/listed-already.ts';
import { findLookAlikes } from '#server/listings/projects/look-alikes.ts';
import { findNameTaken } from '#server/listings/projects/slugs.ts';
import type { Services } from '#server/kit/services.ts';
import { findNamed, lookupKey } from './index-of-names.ts';

async function idOf(services: Services, kind: 'coin' | 'package', text = ''): Promise<number | undefined> {
  const key = text === '' ? null : lookupKey(kind, text);
  return key === null ? undefined : (await findNamed(services, key))?.id;
}

/** Lets a form name the listing that exists already (R72), or whose name looks the same (R74), before a payment. */
export async function findListed(services: Services, query: QueryOf<typeof Asked>): Promise<ListedAlready[]> {
  const { replica: db } = services;
  const { except, name: sent = '' } = query;
  const name = cleanLine(sent);
  const [taken, [alike], coin, packageId] = await Promise.all([
    name === '' ? null : findNameTaken(db, name, except),
    name === '' ? [] : findLookAlikes(services.db, name, except),
    idOf(services, 'coin', query.coin),
    idOf(services, 'package', query.package),
  ]);
  const found = [
    { by: 'name', id: taken ?? undefined },
    // A taken name is not reported a second time as a look-alike.
    { by: 'look', id: taken === null ? alike?.id : undefined },
    { by: 'coin', id: coin },
    { by: 'package', id: packageId },
  ] as const;
  return describeListed(
    db,
    found.filter(({ id }) => id !== except),
  );
}
