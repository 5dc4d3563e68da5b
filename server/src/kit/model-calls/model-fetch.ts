import type { ModelConnection } from '@parley/sdk';
import { fetchWithArguments } from './fetch-with-arguments.ts';
import { fetchWithCleanErrors } from './fetch-with-clean-errors.ts';

/** Differences between protocols. */
export interface ModelFetchOptions {
  /** Fields of a request that extra arguments cannot replace: content and streaming. */
  fixed: readonly string[];
  /** Contains the key; omitted from requests without one. */
  keyHeader: string;
}

/**
 * The `fetch` for a library that calls a model: adds the extra arguments and redacts the key from errors. The
 * placeholder for a missing key ({@link keyOrNone}) is never sent.
 */
export function modelFetch(connection: ModelConnection, { fixed, keyHeader }: ModelFetchOptions): typeof fetch {
  const { extra_args, api_key } = connection;
  const clean = fetchWithCleanErrors(connection.fetch, api_key);
  const inner = api_key ? clean : fetchWithoutHeader(clean, keyHeader);
  return Object.keys(extra_args).length === 0 ? inner : fetchWithArguments(inner, extra_args, fixed);
}

/** A placeholder key for libraries that would otherwise read one from the environment. */
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
