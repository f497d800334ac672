import { announcement } from '../../lib/announce.ts';
import { useStore } from '../../lib/external-store.ts';

export function LiveRegion() {
  return <output className="sr-only">{useStore(announcement)}</output>;
}
