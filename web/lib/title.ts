import { useEffect } from 'react';
import { documentTitle } from '#shared/site/screens.ts';

export function useTitle(title: string | null | undefined): void {
  useEffect(() => {
    if (title !== null && title !== undefined) document.title = documentTitle(title);
  }, [title]);
}
