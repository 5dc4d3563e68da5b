import { createParleyClient } from '@parley/client';
import { consoleFetch } from './console-fetch.ts';
import { serverAddress } from './server-address.ts';

/** The HTTP interface, called as the user who is signed in. */
export const api = createParleyClient({ baseUrl: serverAddress, fetch: consoleFetch });
