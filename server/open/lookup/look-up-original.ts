import { createBuckets } from '#server/kit/http/buckets.ts';
import { askedBefore, askOriginal } from '#server/listings/ownership/ask-versions.ts';
import type { Services } from '#server/kit/services.ts';

/** Look-ups of ids that no listing names share this many questions to the node. */
const asked = createBuckets({ perSecond: 1, most: 20 });
const ASK_MS = 2_000;

/** The first version of a package that no listing names; null if the node does not know it, or is asked too often. */
export async function lookUpOriginal(services: Pick<Services, 'sui' | 'log'>, id: string): Promise<string | null> {
  const present = askedBefore(id);
  if (present !== undefined) return present;
  return asked.take('look-ups', 1) > 0 ? null : askOriginal(services, id, ASK_MS);
}
