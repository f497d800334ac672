import { Link } from 'wouter';
import { FOOTER_LINKS } from '#shared/site/footer-links.ts';
import { external, safeLink } from '../../lib/paths.ts';
import { useSiteConfig } from '../../lib/site.ts';
import { Logo } from './logo.tsx';

const LINK =
  'inline-flex min-h-11 items-center rounded-full px-3 font-medium text-muted transition-colors hover:bg-raised hover:text-text';

function OutsideLink({ url, name }: { url: string | null | undefined; name: string }) {
  const href = safeLink(url);
  if (!href) return null;
  return (
    <a href={href} {...external} className={LINK}>
      {name}
    </a>
  );
}

export function Footer() {
  const site = useSiteConfig();
  return (
    <footer className="mt-16 border-t border-line bg-deep/60">
      <div className="page flex flex-wrap items-center justify-between gap-x-8 gap-y-4 py-8">
        <div className="grid gap-1">
          <Logo className="text-lg" />
          <p className="text-sm text-faint">Votes are opinions, not financial advice.</p>
        </div>
        <nav aria-label="Footer" className="-mx-3 flex flex-wrap">
          {FOOTER_LINKS.map(([href, name, isDocument]) => {
            const Anchor = isDocument ? 'a' : Link;
            return (
              <Anchor key={name} href={href} className={LINK}>
                {name}
              </Anchor>
            );
          })}
          <OutsideLink url={site?.chatUrl} name="Chat group" />
          <OutsideLink url={site?.socialUrl} name="Follow us" />
          <OutsideLink url={site?.dataLicense?.url} name={`Data: ${site?.dataLicense?.name}`} />
        </nav>
      </div>
    </footer>
  );
}
