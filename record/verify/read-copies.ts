import * as open from '#shared/contract/open.ts';
import type { ProjectPage } from '#shared/contract/projects.ts';
import { ATOM_PATH } from '#shared/pages.ts';
import { RecordError } from '../entries/entries.ts';
import type { Copy } from './copies.ts';
import { allInOrder } from '../proof/in-order.ts';
import { type Front, frontOf, hrefOf, licenseIn, type Licenses } from './front.ts';
import type { Site } from './site.ts';

/** Copies of all projects are compared up to so many; of more, those of the first ones and of others by chance. */
const ALL_COPIES = 200;
const FIRST_COPIES = 50;

export function sampleOf(pages: readonly ProjectPage[], random = Math.random): ProjectPage[] {
  if (pages.length <= ALL_COPIES) return [...pages];
  const rest = pages.slice(FIRST_COPIES).map((page) => ({ page, place: random() }));
  const chosen = rest.toSorted((one, other) => one.place - other.place).slice(0, ALL_COPIES - FIRST_COPIES);
  return [...pages.slice(0, FIRST_COPIES), ...chosen.map(({ page }) => page)];
}

const SLUG = /^[a-z0-9-]{1,80}$/;

/** Everything else that shows a project. */
export async function readCopy(site: Site, { id, slug, coinType, packageId }: ProjectPage): Promise<Copy> {
  // A slug becomes part of an address.
  if (!SLUG.test(slug)) throw new RecordError(`project ${id} has the address ${slug}`);
  const lookups: Copy['lookups'][number][] = [];
  if (coinType !== null) lookups.push({ name: coinType, found: await site.lookUp({ coin: coinType }) });
  if (packageId !== null) lookups.push({ name: packageId, found: await site.lookUp({ package: packageId }) });
  return {
    id,
    lookups,
    own: await site.own.project(id),
    trend: await site.trend(id),
    ownTrend: await site.own.trend(id),
    versions: await site.versions(id),
    ownVersions: await site.own.versions(id),
    badge: await site.text(`/badge/${slug}.svg`),
    embed: await site.text(`/embed/${slug}`),
    html: await site.text(`/projects/${slug}`),
  };
}

export async function readFront(site: Site): Promise<Front> {
  const { origin, dataLicense } = await site.config();
  const [leaderboard, home, trust, feed] = [
    await site.text('/leaderboard'),
    await site.text('/'),
    await site.text('/trust'),
    await site.text(ATOM_PATH),
  ];
  return { origin, license: dataLicense, feed, ...frontOf({ leaderboard, home, trust }) };
}

export async function readLicenses(site: Site): Promise<Licenses> {
  const [{ dataLicense }, { info }] = [await site.config(), await site.openApi()];
  const named = async (path: string): Promise<Licenses[number]> => {
    const url = licenseIn(await site.link(path));
    return [`header of ${path}`, url === null ? null : { url: hrefOf(url) }];
  };
  const whole = (license: typeof dataLicense) => license && { ...license, url: hrefOf(license.url) };
  return [
    ['/api/config', whole(dataLicense)],
    ['/api/openapi.json', whole(info.license ?? null)],
    ...(await allInOrder([open.getSupply.path, open.getLeaderboardCsv.path, ATOM_PATH], named)),
  ];
}
