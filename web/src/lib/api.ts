import { createParleyClient } from '@parley/client';
import { consoleFetch } from './console-fetch.ts';
import { serverAddress } from './server-address.ts';

/** The HTTP API, called as the signed-in user. */
export const api = createParleyClient({ baseUrl: serverAddress, fetch: consoleFetch });
