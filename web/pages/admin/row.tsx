import { EyeOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { shortenAddress } from '#shared/text/text.ts';
import { paths } from '../../lib/paths.ts';
import { Badge } from '../../ui/badge.tsx';

export function Row({ acts, children }: { acts: ReactNode; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-3 py-4 first:pt-1 last:pb-1">
      <div className="grid min-w-0 flex-1 basis-64 gap-1">{children}</div>
      <div className="flex flex-wrap gap-2 empty:hidden">{acts}</div>
    </li>
  );
}

export function Address({ of }: { of: string }) {
  return (
    <span className="font-mono" title={of}>
      {shortenAddress(of)}
    </span>
  );
}

export const nameText = (name: string): string => (name.startsWith('0x') ? shortenAddress(name) : name);

export function ProjectLink({ slug, children }: { slug: string; children: ReactNode }) {
  return (
    <Link
      href={paths.project({ id: 0, slug })}
      className="font-semibold underline-offset-4 wrap-anywhere hover:underline"
    >
      {children}
    </Link>
  );
}

export const HiddenBadge = () => (
  <Badge tone="accent">
    <EyeOff aria-hidden size={14} />
    Hidden
  </Badge>
);
