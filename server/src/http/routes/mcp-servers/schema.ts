import Type from 'typebox';

export const McpServer = Type.Object(
  {
    uuid: Type.String({ format: 'uuid' }),
    name: Type.String(),
    enable: Type.Boolean(),
    mode: Type.String({ description: '`stdio`, `sse` or `http`.' }),
    extra_args: Type.Record(Type.String(), Type.Unknown()),
    runtime_info: Type.Union([
      Type.Object({
        status: Type.String({ description: '`connecting`, `connected` or `error`.' }),
        error_message: Type.Union([Type.String(), Type.Null()]),
        tool_count: Type.Integer({ minimum: 0 }),
        tools: Type.Array(Type.Object({ name: Type.String(), description: Type.String() })),
      }),
      Type.Null(),
    ]),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { title: 'McpServer' },
);

export const McpServerParams = Type.Object({ name: Type.String() });
export const McpServerList = Type.Object({ servers: Type.Array(McpServer) });
export const McpServerAnswer = Type.Object({ server: McpServer });
