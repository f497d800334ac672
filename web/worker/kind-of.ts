export type Kind = 'document' | 'asset';

const NO_PAGES = /^\/(?:api|assets|images|og|log|badge|embed|coins)\//;

interface Asked {
  method: string;
  mode: string;
  url: string;
  destination: string;
}

/** Never anything under /api/: a response there belongs to a session, which its address does not name. */
export function kindOf({ method, mode, url, destination }: Asked, origin: string): Kind | null {
  const { origin: asked, pathname, search } = new URL(url);
  if (method !== 'GET' || asked !== origin) return null;
  // WebKit fails to start a worker from a script that a service worker has fetched.
  if (destination === 'worker') return null;
  // A name with a dot at its end is a file: sitemap.xml, feed.xml.
  if (mode === 'navigate') return NO_PAGES.test(pathname) || /\.\w+$/.test(pathname) ? null : 'document';
  return pathname.startsWith('/assets/') && search === '' ? 'asset' : null;
}
