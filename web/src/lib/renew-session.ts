import { api } from './api.ts';
import { session } from './session.ts';

/**
 * Exchanges the token for a fresh one, so that who comes back often is never signed out. It also renews the cookie that
 * the websocket needs, which ends with the browser while the token does not.
 * @throws ParleyApiError with status 401 when the session is over
 */
export async function renewSession(): Promise<void> {
  const { token } = await api.get('/api/v1/user/check-token');
  session.begin(token);
}
