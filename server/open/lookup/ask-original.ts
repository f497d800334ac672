import { readOriginal } from '#chain/ownership.ts';
import { createBuckets } from '#server/kit/http/buckets.ts';
import type { Services } from '#server/kit/services.ts';

/** Look-ups of ids that no listing names share this many questions to the node. */
const asked = createBuckets({ perSecond: 1, most: 20 });
const ASK_MS = 2_000;
const MAX_KNOWN = 2_000;
const known = new Map<string, string>();

/** The first version of a package that no listing names; null where the node does not know it, or is asked too often. */
export async function askOriginal(services: Pick<Services, 'sui' | 'log'>, id: string): Promise<string | null> {
  const present = known.get(id);
  if (present !== undefined) return present;
  if (asked.take('look-ups', 1) > 0) return null;
  try {
    const original = await readOriginal(services.sui, id, ASK_MS);
    if (original === null) return null;
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(id, original);
    return original;
  } catch (error) {
    services.log.warn({ err: error, id }, 'the first version of a package could not be read');
    return null;
  }
}
