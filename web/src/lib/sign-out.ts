import { api } from './api.ts';
import { session } from './session.ts';

/** Ends the session here and on the server. The person wants to leave; a server that cannot be told must not keep them. */
export async function signOut(): Promise<void> {
  await api.post('/api/v1/user/sign-out').catch(() => undefined);
  session.end();
}
