import { mergeObjects } from '../../lib/merge-objects.ts';

/**
 * Wraps a `fetch` that adds fields to the JSON body of every request, for libraries without such an option. Objects
 * within the body are merged.
 * @param fixed fields of the body that cannot be replaced
 */
export function fetchWithArguments(
  inner: typeof fetch,
  extraArguments: Record<string, unknown>,
  fixed: readonly string[],
): typeof fetch {
  return async (input, init) => {
    if (typeof init?.body !== 'string') return inner(input, init);
    const body = JSON.parse(init.body) as Record<string, unknown>;
    const unchanged = Object.fromEntries(fixed.map((field) => [field, body[field]]));
    return inner(input, { ...init, body: JSON.stringify({ ...mergeObjects(body, extraArguments), ...unchanged }) });
  };
}
