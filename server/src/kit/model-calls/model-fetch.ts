import type { ModelConnection } from '@parley/sdk';
import { fetchWithArguments } from './fetch-with-arguments.ts';
import { fetchWithoutKeyInErrors } from './fetch-without-key-in-errors.ts';

/** What differs between protocols. */
export interface ModelFetchOptions {
  /** Fields of a request that extra arguments do not replace: what is said and how it comes back. */
  fixed: readonly string[];
  /** Carries the key; left out of requests where there is none. */
  keyHeader: string;
}

/**
 * The `fetch` that a library is given to call a model: it adds the extra arguments, and keeps the key out of errors. What
 * a library is told instead of a key where there is none ({@link keyOrNone}) never leaves.
 */
export function modelFetch(connection: ModelConnection, { fixed, keyHeader }: ModelFetchOptions): typeof fetch {
  const { extra_args, api_key } = connection;
  const clean = fetchWithoutKeyInErrors(connection.fetch, api_key);
  const inner = api_key ? clean : fetchWithoutHeader(clean, keyHeader);
  return Object.keys(extra_args).length === 0 ? inner : fetchWithArguments(inner, extra_args, fixed);
}

/** A key for libraries that would look for one in the environment if they were given none. */
export function keyOrNone({ api_key }: Pick<ModelConnection, 'api_key'>): string {
  return api_key || 'none';
}

/** An address without slashes at its end. */
export function trimmedAddress({ base_url }: Pick<ModelConnection, 'base_url'>): string {
  return base_url.trim().replace(/\/+$/, '');
}

function fetchWithoutHeader(inner: typeof fetch, name: string): typeof fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.delete(name);
    return inner(input, { ...init, headers });
  };
}
