import Type, { type Static } from 'typebox';
import { nullable } from '../../lib/schema-parts.ts';

const botEventCodes = [
  ...(['connecting', 'connected', 'connection_lost', 'not_connected', 'disconnected'] as const),
  ...(['delivery_failed', 'delivery_uncertain', 'welcome_not_sent'] as const),
];

/** An entry of a bot's event log as it is shown. */
export const BotEvent = Type.Object(
  {
    seq_id: Type.Integer({ description: 'Number of the entry, from 0; numbers are not used twice.' }),
    timestamp: Type.Integer({ description: 'Unix seconds.' }),
    level: Type.Enum(['debug', 'info', 'warning', 'error']),
    text: Type.String({ description: 'A message as text; else a sentence in English.' }),
    code: nullable(
      Type.Enum(botEventCodes),
      'What the entry is about, for texts in other languages; null for messages, and for entries of earlier versions.',
    ),
    reason: nullable(Type.String(), 'Why, as a word of docs/errors.md; null if there is none.'),
    images: Type.Array(Type.String(), { description: 'Keys of images, which `/api/v1/files/image/{key}` shows.' }),
    message_session_id: Type.String({
      description: '`person_<id>` or `group_<id>` for what belongs to a conversation, else empty.',
    }),
  },
  { title: 'BotEvent' },
);
export type BotEvent = Static<typeof BotEvent>;

/** A new entry for the event log of a bot. */
export type BotEventEntry = Pick<BotEvent, 'level' | 'text'> &
  Partial<Pick<BotEvent, 'code' | 'reason' | 'images' | 'message_session_id'>>;

/** An entry on its way into the store, which numbers it. */
export interface NewBotEvent extends Omit<BotEvent, 'seq_id' | 'timestamp'> {
  bot_uuid: string;
  /** ISO 8601 UTC. */
  created_at: string;
}

/** A part of an event log. */
export const BotEventWindow = Type.Object({
  logs: Type.Array(BotEvent, { description: 'Oldest first.' }),
  total_count: Type.Integer({ description: 'How many entries are stored.' }),
});
export type BotEventWindow = Static<typeof BotEventWindow>;
