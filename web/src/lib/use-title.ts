import { useEffect } from 'react';

/** Names the browser tab after the page. */
export function useTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · Parley`;
  }, [title]);
}
