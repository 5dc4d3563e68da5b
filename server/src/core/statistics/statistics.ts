import Type, { type Static } from 'typebox';

export const Statistics = Type.Object(
  {
    active_session_count: Type.Integer({
      minimum: 0,
      description: 'Users and groups that a bot exchanged a message with during the last 30 minutes.',
    }),
    conversation_count: Type.Integer({
      minimum: 0,
      description: 'Active conversations: the next message of the same user or group continues them.',
    }),
    query_count: Type.Integer({
      minimum: 0,
      description: 'Messages that bots received since this server started.',
    }),
  },
  { title: 'Statistics' },
);
export type Statistics = Static<typeof Statistics>;
