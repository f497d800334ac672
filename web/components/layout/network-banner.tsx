import { FlaskConical } from 'lucide-react';
import { useSiteConfig } from '../../lib/site.ts';

export function NetworkBanner() {
  const site = useSiteConfig();
  if (!site || site.network === 'mainnet') return null;
  return (
    <aside
      aria-label="Network"
      className="flex min-h-9 items-center justify-center gap-2 bg-warn-soft px-4 py-1.5 text-center text-sm font-semibold text-warn"
    >
      <FlaskConical aria-hidden size={16} className="shrink-0" />
      <span>
        Sui <span data-network>{site.network}</span>: test network, no real value
      </span>
    </aside>
  );
}
