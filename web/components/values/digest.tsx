import { ExternalLink } from 'lucide-react';
import { external, safeLink } from '../../lib/paths.ts';
import { useSiteConfig } from '../../lib/site.ts';
import { cn } from '../../ui/class-names.ts';

const HEAD_CHARS = 8;
const TAIL_CHARS = 6;

export function Digest({ digest, className }: { digest: string; className?: string }) {
  const explorer = safeLink(useSiteConfig()?.explorerUrl);
  const short = `${digest.slice(0, HEAD_CHARS)}…${digest.slice(-TAIL_CHARS)}`;
  const code = (
    <code title={digest} className="font-mono text-sm">
      {short}
    </code>
  );
  if (!explorer) return <span className={cn('text-muted', className)}>{code}</span>;
  const href = `${explorer.replace(/\/+$/, '')}/tx/${encodeURIComponent(digest)}`;
  return (
    <a
      href={href}
      {...external}
      className={cn('inline-flex items-center gap-1.5 text-link underline-offset-4 hover:underline', className)}
    >
      {code}
      <ExternalLink aria-hidden size={14} className="shrink-0" />
      <span className="sr-only">View transaction {digest} in the explorer</span>
    </a>
  );
}
