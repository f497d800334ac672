import { announcement } from '../../lib/announce.ts';
import { useStore } from '../../lib/external-store.ts';

/** The one polite live region of the app; speak through `announce(…)`. */
export function LiveRegion() {
  return <output className="sr-only">{useStore(announcement)}</output>;
}
