import { ParleyApiError } from '@parley/client';
import { signInApi } from './api.ts';
import { heldDeletions } from './held-deletions.ts';
import { notify } from './notify.ts';
import { session } from './session.ts';

/**
 * Ends the session, and removes what the browser keeps for the account. If the server is unreachable, shows an error
 * and stays signed in.
 */
export async function signOut(): Promise<void> {
  await heldDeletions.sendAll();
  try {
    await signInApi.post('/api/v1/user/sign-out');
  } catch (error) {
    // Already ended: the desired result.
    if (!(error instanceof ParleyApiError) || error.status !== 401) return notify.failed(error);
  }
  session.end();
}
