import { useEffect } from 'react';

/** Sets the title of the document. */
export function useTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · Parley`;
  }, [title]);
}
