import { useEffect } from 'react';

const DEFAULT_TITLE = 'Snapswipe · Swipe. Vote. Earn.';

/** 'Portfolio' → 'Portfolio · Snapswipe'; '' → the product's own title. */
export function documentTitle(title: string): string {
  return title === '' ? DEFAULT_TITLE : `${title} · Snapswipe`;
}

/** Sets the document's title; for pages whose title comes with their data. */
export function useTitle(title: string | null | undefined): void {
  useEffect(() => {
    if (title !== null && title !== undefined) document.title = documentTitle(title);
  }, [title]);
}
