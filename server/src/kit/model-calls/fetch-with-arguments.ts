import { mergeObjects } from '../../lib/merge-objects.ts';

/**
 * Wraps a `fetch` so that the JSON body of every request holds more fields, for calls whose library takes none. Objects
 * within the body are joined.
 * @param fixed fields of the body that stay as they are
 */
export function fetchWithArguments(
  inner: typeof fetch,
  extraArguments: Record<string, unknown>,
  fixed: readonly string[],
): typeof fetch {
  return async (input, init) => {
    if (typeof init?.body !== 'string') return inner(input, init);
    const body = JSON.parse(init.body) as Record<string, unknown>;
    const kept = Object.fromEntries(fixed.map((field) => [field, body[field]]));
    return inner(input, { ...init, body: JSON.stringify({ ...mergeObjects(body, extraArguments), ...kept }) });
  };
}
