import Type from 'typebox';

export const EventsQuery = Type.Object({
  types: Type.Optional(
    Type.String({
      pattern: '^(bot|task|message|mcp-server)(,(bot|task|message|mcp-server)){0,3}$',
      description: 'Only these types, with commas between them. All when left out.',
    }),
  ),
  last_event_id: Type.Optional(
    Type.String({ description: 'Where to go on, for clients that cannot set the header `Last-Event-ID`.' }),
  ),
});

export const EventsAnswer = {
  description:
    'Events until the connection ends: `bot`, `task`, `message`, `mcp-server`, and `resync` when some were missed.',
  content: { 'text/event-stream': { schema: Type.Unsafe<never>({ type: 'string' }) } },
};
