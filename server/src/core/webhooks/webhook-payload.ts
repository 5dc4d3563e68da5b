import type { MessageChain } from '@parley/sdk';
import type { Message } from '../messages/message.ts';

/** The payload of a message, as in the reference system. */
export interface WebhookPayload {
  /** That of the message; the same each time that it is sent. */
  uuid: string;
  event_type: 'bot.person_message' | 'bot.group_message' | 'ping' | 'alert.started' | 'alert.ended' | 'alert.test';
  data: Record<string, unknown>;
}

export interface WebhookMessage {
  message: Message;
  /** Timestamp of the platform, ISO 8601 UTC. */
  sent_at: string | null;
  /** Of its bot; empty when the bot was deleted. */
  adapter: string;
}

export function messagePayload({ message, sent_at, adapter }: WebhookMessage): WebhookPayload {
  const { uuid, bot_uuid, session_type, session_id, sender_id, sender_name, facts } = message;
  const written = Date.parse(sent_at ?? message.created_at) / 1000;
  return {
    uuid,
    event_type: `bot.${session_type}_message`,
    data: {
      bot_uuid,
      adapter_name: adapter,
      sender: { id: sender_id, name: sender_name },
      ...(session_type === 'group' ? { group: { id: session_id, name: facts.group_name ?? '' } } : {}),
      message: withSource(message, Math.floor(written)),
      timestamp: written,
    },
  };
}

/** The payload of a webhook test. */
export function pingPayload(uuid: string, webhook: { id: number; name: string }, now: number): WebhookPayload {
  return { uuid, event_type: 'ping', data: { webhook: { id: webhook.id, name: webhook.name }, timestamp: now / 1000 } };
}

/** Clients expect a chain to start with its source. */
function withSource({ message_chain, platform_message_id }: Message, timestamp: number): MessageChain {
  if (platform_message_id === null || message_chain.some(({ type }) => type === 'Source')) return message_chain;
  return [{ type: 'Source', id: platform_message_id, timestamp }, ...message_chain];
}
