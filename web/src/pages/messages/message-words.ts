import type { Message } from './message-queries.ts';

/** Reasons for the filter, most frequent first; others are possible in the URL. */
export const reasonsOfMessages: readonly string[] = [
  'answered',
  'group_rule_not_matched',
  'ignored',
  'access_denied',
  'merged',
  'command',
  'command_denied',
  'answer_stopped',
  'cancelled',
  'reset',
  'rate_limited',
  'sensitive_word',
  'skipped_by_webhook',
  'stopped_by_plugin',
  'recalled',
  'aggregating',
  'awaiting_webhook',
  'bot_not_running',
  'no_pipeline',
  'model_not_configured',
  'runner_not_found',
  'provider_failed',
  'provider_unauthorized',
  'provider_unreachable',
  'provider_timeout',
  'unknown_model',
  'quota',
  'step_limit',
  'time_limit',
  'stage_failed',
  'uncertain',
  'expired',
  'interrupted',
  'internal',
];

/** The name of the sender. */
export function writerOf(message: Pick<Message, 'direction' | 'sender_name' | 'sender_id'>, botName: string): string {
  const { direction, sender_name, sender_id } = message;
  if (direction === 'outbound') return botName;
  return sender_name.trim() || sender_id;
}
