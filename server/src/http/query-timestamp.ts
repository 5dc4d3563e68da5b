import { invalidFields } from '@parley/sdk';

/** Years before 0 and after 9999 have more digits. */
const defaultLength = '2026-01-01T00:00:00.000Z'.length;

/**
 * Normalizes a timestamp of a query. The schema accepts leap seconds, which dates cannot represent.
 * @throws ParleyError `invalid_request` for an invalid timestamp
 */
export function queryTimestamp(field: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const timestamp = new Date(text);
  const written = Number.isNaN(timestamp.getTime()) ? '' : timestamp.toISOString();
  if (written.length !== defaultLength) {
    throw invalidFields([{ path: `query.${field}`, message: 'must be a valid timestamp' }]);
  }
  return written;
}
