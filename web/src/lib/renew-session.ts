import { api } from './api.ts';

/**
 * Renews the session, so that regular users are never signed out.
 * @throws ParleyApiError with status 401 if the session has ended
 */
export async function renewSession(): Promise<void> {
  await api.get('/api/v1/user/check-token');
}
