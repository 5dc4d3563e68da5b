import { useTranslation } from 'react-i18next';
import { Badge } from '../../components/badge.tsx';
import { outcomeWords } from '../../components/explain/explain-words.ts';
import type { Message } from './message-queries.ts';

const tones: Record<string, 'neutral' | 'good' | 'busy' | 'warning' | 'bad'> = {
  received: 'busy',
  processing: 'busy',
  writing: 'busy',
  pending: 'busy',
  sending: 'busy',
  answered: 'good',
  sent: 'good',
  finished: 'good',
  failed: 'bad',
  uncertain: 'warning',
};

/** The state of a message; of an answer, its delivery state, and `failed` if it only reports a failure. */
export function MessageState({ message }: { message: Pick<Message, 'state' | 'delivery_state' | 'failure'> }) {
  const { t } = useTranslation();
  const outcome = message.failure === null ? (message.delivery_state ?? message.state) : 'failed';
  return <Badge tone={tones[outcome] ?? 'neutral'}>{outcomeWords(outcome, t)}</Badge>;
}
