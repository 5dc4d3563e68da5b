import { useTranslation } from 'react-i18next';
import { outcomeWords } from '../../components/explain/explain-words.ts';
import { reasonWords } from '../../lib/error-text.ts';

/** An option for a reason, with its text. */
export function ReasonOption({ reason }: { reason: string }) {
  const { t } = useTranslation();
  return <option value={reason}>{reason === 'answered' ? outcomeWords(reason, t) : reasonWords(reason, t)}</option>;
}
