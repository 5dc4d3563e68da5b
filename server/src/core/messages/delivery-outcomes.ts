import type { DeliveryError, ParleyError, SentMessage } from '@parley/sdk';
import { present } from '../../lib/clock.ts';
import type { UncertainSends } from '../bots/bot.ts';
import type { RunningBot } from '../bots/running-bot.ts';
import type { Delivery, DeliveryOutcome } from './delivery.ts';

export const interrupted: DeliveryOutcome = {
  state: 'uncertain',
  reason: 'interrupted',
  error: 'The process ended while it was being sent, and the platform cannot tell whether it arrived',
  platform_message_id: null,
};

export const unrecognized: DeliveryOutcome = {
  state: 'uncertain',
  reason: 'uncertain',
  error: 'The platform may have received it, and would not recognize a repeated message any more',
  platform_message_id: null,
};

export const expired: DeliveryOutcome = {
  state: 'failed',
  reason: 'expired',
  error: 'The platform did not take it in time',
  platform_message_id: null,
};

/** Whether a part is sent again. @param began when the first attempt began that may have reached the platform */
export async function repeatAfter(
  failure: DeliveryError,
  bot: RunningBot,
  began: string,
  uncertainSends: (botUuid: string) => Promise<UncertainSends>,
): Promise<'always' | 'while_recognized' | 'never'> {
  if (failure.kind === 'refused') return 'never';
  if (failure.kind === 'not_sent' || failure.isRepeatable) return 'always';
  if ((await uncertainSends(bot.uuid)) === 'repeat') return 'always';
  return isRecognized(bot, began) ? 'while_recognized' : 'never';
}

/** Whether the platform knows the token of a message that was sent since a time, so that a repeat is harmless. */
export function isRecognized({ capabilities }: RunningBot, since: string): boolean {
  const { idempotent_sends, idempotency_ms } = capabilities;
  return idempotent_sends && (idempotency_ms === undefined || present() - Date.parse(since) < idempotency_ms);
}

export function isExpired({ expires_at }: Delivery): boolean {
  return expires_at !== null && Date.parse(expires_at) <= present();
}

export function sentOutcome(sent: SentMessage): DeliveryOutcome {
  return { state: 'sent', reason: null, error: null, platform_message_id: sent?.platform_message_id ?? null };
}

export function failedOutcome({ reason, message }: ParleyError): DeliveryOutcome {
  return { state: 'failed', reason, error: message, platform_message_id: null };
}

/** Of a send whose result is unknown. */
export function uncertainOutcome({ reason, message }: ParleyError): DeliveryOutcome {
  const known = reason === 'interrupted' ? reason : 'uncertain';
  return { state: 'uncertain', reason: known, error: message, platform_message_id: null };
}
