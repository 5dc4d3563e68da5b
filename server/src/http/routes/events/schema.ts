import Type from 'typebox';

export const EventsQuery = Type.Object({
  types: Type.Optional(
    Type.String({
      pattern: '^(bot|task|message|mcp-server)(,(bot|task|message|mcp-server)){0,3}$',
      description: 'Comma-separated event types. Default: all.',
    }),
  ),
  last_event_id: Type.Optional(
    Type.String({ description: 'The last received event, for clients that cannot set the header `Last-Event-ID`.' }),
  ),
});

export const EventsAnswer = {
  description:
    'Events until the connection ends: `bot`, `task`, `message`, `mcp-server`, and `resync` if some were missed.',
  content: { 'text/event-stream': { schema: Type.Unsafe<never>({ type: 'string' }) } },
};
