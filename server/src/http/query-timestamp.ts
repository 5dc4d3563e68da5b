import { invalidFields } from '@parley/sdk';

/** Years before 0 and after 9999 are written longer. */
const defaultLength = '2026-01-01T00:00:00.000Z'.length;

/**
 * Writes a moment of a query as it is stored. The schema lets leap seconds through, which dates cannot hold.
 * @throws ParleyError `invalid_request` when there is no such moment
 */
export function queryTimestamp(field: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const timestamp = new Date(text);
  const written = Number.isNaN(timestamp.getTime()) ? '' : timestamp.toISOString();
  if (written.length !== defaultLength) {
    throw invalidFields([{ path: `query.${field}`, message: 'must be a moment that there is' }]);
  }
  return written;
}
