import Type, { type Static } from 'typebox';

/** An entry of a bot's event log as it is shown. */
export const BotEvent = Type.Object(
  {
    seq_id: Type.Integer({ description: 'Number of the entry, from 0; numbers are not used twice.' }),
    timestamp: Type.Integer({ description: 'Unix seconds.' }),
    level: Type.Enum(['debug', 'info', 'warning', 'error']),
    text: Type.String(),
    images: Type.Array(Type.String(), { description: 'Keys of images, which `/api/v1/files/image/{key}` shows.' }),
    message_session_id: Type.String({
      description: '`person_<id>` or `group_<id>` for what belongs to a conversation, else empty.',
    }),
  },
  { title: 'BotEvent' },
);
export type BotEvent = Static<typeof BotEvent>;

/** A new entry for the event log of a bot. */
export type BotEventEntry = Pick<BotEvent, 'level' | 'text'> & Partial<Pick<BotEvent, 'images' | 'message_session_id'>>;

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
