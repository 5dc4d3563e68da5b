import { createParleyClient } from '@parley/client';
import { consoleFetch, plainFetch } from './console-fetch.ts';
import { serverAddress } from './server-address.ts';

/** The HTTP API, called as the signed-in user. */
export const api = createParleyClient({ baseUrl: serverAddress, fetch: consoleFetch });

/** The same for beginning and ending sessions: after a rejection, sign-in is not requested. */
export const signInApi = createParleyClient({ baseUrl: serverAddress, fetch: plainFetch });
