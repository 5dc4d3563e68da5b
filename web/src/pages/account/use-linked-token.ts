import { useNavigate } from '@tanstack/react-router';
import { useCallback, useLayoutEffect, useState } from 'react';
import { tokenOfFragment } from './setup-token.ts';

/**
 * The token in the URL of the page, which is removed from the address bar and the history. Also if the link is opened
 * in an existing page.
 */
export function useLinkedToken(): { token: string | null; drop: () => void } {
  const navigate = useNavigate();
  const [token, setToken] = useState<string | null>(null);
  // Before painting, so that the token field does not flash.
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
