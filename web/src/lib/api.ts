import { createParleyClient } from '@parley/client';
import { serverAddress } from './server-address.ts';
import { session } from './session.ts';

/** The HTTP interface, called as the person who is signed in. */
export const api = createParleyClient({
  baseUrl: serverAddress,
  token: session.token,
  async fetch(request) {
    const response = await fetch(request);
    // A refusal that was meant for an older token says nothing about the one that replaced it.
    const current = request.headers.get('authorization') === `Bearer ${session.token()}`;
    if (response.status === 401 && current) session.end({ byServer: true });
    return response;
  },
});
