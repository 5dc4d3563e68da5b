import { createParleyClient } from '@parley/client';
import { consoleFetch, plainFetch } from './console-fetch.ts';
import { serverAddress } from './server-address.ts';

/** The HTTP API, called as the signed-in user. */
export const api = createParleyClient({ baseUrl: serverAddress, fetch: consoleFetch });

/** The same for beginning and ending sessions: a rejection asks nobody to sign in. */
export const signInApi = createParleyClient({ baseUrl: serverAddress, fetch: plainFetch });
