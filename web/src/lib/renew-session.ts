import { api } from './api.ts';

/**
 * Gives the session its full life again, so that who comes back often is never signed out.
 * @throws ParleyApiError with status 401 when the session is over
 */
export async function renewSession(): Promise<void> {
  await api.get('/api/v1/user/check-token');
}
