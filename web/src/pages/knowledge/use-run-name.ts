import { useTranslation } from 'react-i18next';
import type { EvaluationSummary } from './knowledge-queries.ts';

/** Describes an evaluation by time and cause. */
export function useRunName(): (run: EvaluationSummary) => string {
  const { t, i18n } = useTranslation();
  const format = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' });
  return ({ created_at, asked_by }) =>
    t('knowledge.runName', { timestamp: format.format(new Date(created_at)), why: t(`knowledge.askedBy.${asked_by}`) });
}
