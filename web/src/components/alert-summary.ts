import type { TFunction } from 'i18next';
import type { Alert } from './alert-queries.ts';

/** What an alert is about, in one line. */
export function alertSummary({ kind, facts }: Pick<Alert, 'kind' | 'facts'>, t: TFunction): string {
  const { count = 0, total = 0, percent = 0, cost = 0, names = [] } = facts;
  const values = { count, total, percent, cost: Math.round(cost * 10_000) / 10_000 };
  const summary = t(`alertBell.summaries.${kind}`, values);
  return names.length === 0 ? summary : `${summary} (${names.join(', ')}${count > names.length ? ', …' : ''})`;
}
