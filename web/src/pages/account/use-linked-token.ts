import { useNavigate } from '@tanstack/react-router';
import { useCallback, useLayoutEffect, useState } from 'react';
import { tokenOfFragment } from './setup-token.ts';

/**
 * The token that the address of the page carries, which is cleared from the address bar and the history. Also when the
 * link is opened in a page that is there already.
 */
export function useLinkedToken(): { token: string | null; drop: () => void } {
  const navigate = useNavigate();
  const [token, setToken] = useState<string | null>(null);
  // Before anything is painted: the field for the token does not flash.
  useLayoutEffect(() => {
    const take = () => {
      const found = tokenOfFragment(window.location.hash.slice(1));
      if (found === null) return;
      setToken(found);
      void navigate({ to: '/set-up', replace: true });
    };
    take();
    window.addEventListener('hashchange', take);
    return () => window.removeEventListener('hashchange', take);
  }, [navigate]);
  return { token, drop: useCallback(() => setToken(null), []) };
}
