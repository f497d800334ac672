import { useEffect } from 'react';
import { documentTitle } from '#shared/screens.ts';

/** Sets the document's title; for pages whose title comes with their data. */
export function useTitle(title: string | null | undefined): void {
  useEffect(() => {
    if (title !== null && title !== undefined) document.title = documentTitle(title);
  }, [title]);
}
