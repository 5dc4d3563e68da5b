/** Filters of the log, in the URL. */
export interface AuditSearch {
  /** Id of the actor. */
  actor?: string;
  kind?: string;
  /** Id of the record. */
  record?: string;
  /** `bot.update` */
  action?: string;
  /** First and last day, `2026-11-21`, in the time zone of the reader. */
  since?: string;
  until?: string;
  /** Number of the open entry. */
  entry?: number;
}

const texts = ['actor', 'kind', 'record', 'action'] as const;
const days = ['since', 'until'] as const;

/** Parses an untrusted URL. */
export function auditSearch(given: Record<string, unknown>): AuditSearch {
  const search: AuditSearch = {};
  for (const name of texts) {
    const value = given[name];
    // The router parses number-like values as numbers.
    if ((typeof value === 'string' && value !== '') || typeof value === 'number')
      search[name] = String(value).slice(0, 255);
  }
  for (const name of days) {
    const value = given[name];
    if (typeof value === 'string' && dayStart(value, 0) !== null) search[name] = value;
  }
  const entry = Number(given.entry);
  if (Number.isSafeInteger(entry) && entry > 0 && entry < 999_999_999) search.entry = entry;
  return search;
}

/** The query of the API. The last day is inclusive. */
export function auditQuery({ actor, kind, record, action, since, until }: AuditSearch) {
  const from = since === undefined ? null : dayStart(since, 0);
  const to = until === undefined ? null : dayStart(until, 1);
  return {
    ...(actor && { actor_id: actor }),
    ...(kind && { record_kind: kind }),
    ...(record && { record_id: record }),
    ...(action && { action }),
    ...(from && { since: from }),
    ...(to && { until: to }),
  };
}

/** The local start of a day, or of a day some days later; null for an invalid day. */
function dayStart(day: string, later: number): string | null {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  if (year === undefined) return null;
  const start = new Date(Number(year), Number(month) - 1, Number(date) + later);
  return Number.isNaN(start.getTime()) ? null : start.toISOString();
}
