import { ParleyApiError } from '@parley/client';
import { api } from './api.ts';
import { notify } from './notify.ts';
import { session } from './session.ts';

/** Ends the session. Only the server can: when it cannot be reached, the user is told and stays signed in. */
export async function signOut(): Promise<void> {
  try {
    await api.post('/api/v1/user/sign-out');
  } catch (error) {
    // Refused as over already: that is what was wanted.
    if (!(error instanceof ParleyApiError) || error.status !== 401) return notify.failed(error);
  }
  session.end();
}
