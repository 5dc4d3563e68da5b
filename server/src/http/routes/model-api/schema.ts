import Type, { type TSchema } from 'typebox';
import { Count, nullable } from '../../../lib/schema-parts.ts';

const Nullable = <Schema extends TSchema>(schema: Schema) => nullable(schema);
const Anything = Type.Record(Type.String(), Type.Unknown());

export const ModelApiError = Type.Object(
  {
    error: Type.Object({
      message: Type.String(),
      type: Type.Enum(['invalid_request_error', 'permission_error', 'rate_limit_error', 'server_error']),
      param: Nullable(Type.String({ description: 'The invalid field.' })),
      code: Type.String({ description: 'A stable identifier; see docs/model-api.md.' }),
    }),
  },
  { title: 'ModelApiError' },
);

export const ListedModel = Type.Object(
  {
    id: Type.String({ description: 'Name of the pipeline if it is unique, else its uuid.' }),
    object: Type.Literal('model'),
    created: Type.Integer({ description: 'Seconds since 1970.' }),
    owned_by: Type.String(),
  },
  { title: 'ListedModel' },
);

export const ModelList = Type.Object({ object: Type.Literal('list'), data: Type.Array(ListedModel) });

export const ModelParams = Type.Object({ model: Type.String({ description: 'Name or uuid of a pipeline.' }) });

const Model = Type.String({ minLength: 1, maxLength: 255, description: 'Name or uuid of a pipeline.' });
const Stream = Type.Optional(Nullable(Type.Boolean({ description: 'Stream the answer as server-sent events.' })));
const Identifier = Type.Optional(
  Nullable(Type.String({ description: 'The end user; rate limits of the pipeline apply per user.' })),
);

const Message = Type.Object(
  {
    role: Type.String({ description: '`system`, `developer`, `user` or `assistant`.' }),
    content: Type.Optional(Type.Unknown({ description: 'A string, or a list of parts.' })),
  },
  { additionalProperties: true, title: 'ModelApiMessage' },
);

/** `core/model-api` rejects or ignores other fields. */
export const ChatCompletionBody = Type.Object(
  {
    model: Model,
    messages: Type.Array(Message, { minItems: 1, maxItems: 2000 }),
    stream: Stream,
    stream_options: Type.Optional(
      Nullable(Type.Object({ include_usage: Type.Optional(Nullable(Type.Boolean())) }, { additionalProperties: true })),
    ),
    user: Identifier,
    safety_identifier: Identifier,
  },
  { additionalProperties: true, title: 'ChatCompletionRequest' },
);

export const ChatCompletion = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('chat.completion'),
    created: Type.Integer(),
    model: Type.String(),
    choices: Type.Array(
      Type.Object({
        index: Type.Integer(),
        message: Type.Object({
          role: Type.Literal('assistant'),
          content: Type.String(),
          refusal: Type.Null(),
          annotations: Type.Array(Type.Unknown(), { maxItems: 0 }),
        }),
        logprobs: Type.Null(),
        finish_reason: Type.Enum(['stop', 'content_filter']),
      }),
    ),
    usage: Type.Object({
      prompt_tokens: Count,
      completion_tokens: Count,
      total_tokens: Count,
      prompt_tokens_details: Type.Object({ cached_tokens: Count, audio_tokens: Count }),
      completion_tokens_details: Type.Object({
        reasoning_tokens: Count,
        audio_tokens: Count,
        accepted_prediction_tokens: Count,
        rejected_prediction_tokens: Count,
      }),
    }),
  },
  { title: 'ChatCompletion' },
);

export const ResponseBody = Type.Object(
  {
    model: Model,
    input: Type.Unknown({ description: 'The user message, or a list of messages that ends with it.' }),
    instructions: Type.Optional(Nullable(Type.String({ description: 'Appended to the prompt of the pipeline.' }))),
    previous_response_id: Type.Optional(Nullable(Type.String({ description: 'The response to continue.' }))),
    store: Type.Optional(Nullable(Type.Boolean({ description: 'Whether the response can be continued.' }))),
    metadata: Type.Optional(Nullable(Type.Record(Type.String(), Type.String()))),
    stream: Stream,
    stream_options: Type.Optional(Nullable(Anything)),
    user: Identifier,
    safety_identifier: Identifier,
  },
  { additionalProperties: true, title: 'CreateResponseRequest' },
);

export const ModelResponse = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('response'),
    created_at: Type.Integer(),
    status: Type.Enum(['in_progress', 'completed', 'incomplete', 'failed']),
    output: Type.Array(Anything),
  },
  { additionalProperties: true, title: 'ModelResponse' },
);
