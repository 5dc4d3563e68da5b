import Type from 'typebox';
import { Count, nullable, Timestamp, Uuid } from '../../../lib/schema-parts.ts';

const SessionTypeName = Type.Enum(['person', 'group']);
const Direction = Type.Enum(['inbound', 'outbound']);
const State = Type.Enum([
  'received',
  'processing',
  'answered',
  'stopped',
  'failed',
  'uncertain',
  'writing',
  'finished',
]);
const DeliveryStateName = Type.Enum(['pending', 'sending', 'sent', 'failed', 'uncertain']);
const Chain = Type.Array(Type.Object({ type: Type.String() }, { additionalProperties: true }));
const Anything = Type.Record(Type.String(), Type.Unknown());

const ReasonOrNull = nullable(Type.String(), 'A reason of docs/errors.md.');

export const MessageParams = Type.Object({ message_uuid: Uuid });

export const ImageParams = Type.Object({
  message_uuid: Uuid,
  element: Type.Integer({ minimum: 0, maximum: 100_000, description: 'Index in `message_chain`, from 0.' }),
});

export const DeliveryParams = Type.Object({
  message_uuid: Uuid,
  part: Type.Integer({ minimum: 0, maximum: 100_000, description: 'As `piece` of the deliveries, from 0.' }),
});

export const RetriedDelivery = Type.Object(
  {
    message_uuid: Uuid,
    part: Count,
    state: Type.Enum(['pending', 'sent'], {
      description: '`pending`: the answer is queued. `sent`: a message of `send_message` was sent again.',
    }),
  },
  { title: 'RetriedDelivery' },
);

const Identifier = Type.Optional(Type.String({ minLength: 1, maxLength: 255 }));

export const MessageQuery = Type.Object(
  {
    bot_uuid: Type.Optional(Uuid),
    pipeline_uuid: Type.Optional(Uuid),
    conversation_uuid: Type.Optional(Uuid),
    session_type: Type.Optional(SessionTypeName),
    session_id: Identifier,
    sender_id: Identifier,
    direction: Type.Optional(Direction),
    state: Type.Optional(State),
    reason: Type.Optional(
      Type.String({ pattern: '^[a-z_]{1,64}$', description: '`answered`, or a reason of docs/errors.md.' }),
    ),
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Substring of the text, case-insensitive.',
      }),
    ),
    from: Type.Optional(Type.String({ format: 'date-time', description: 'The earliest time.' })),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'Exclusive end of the time range.' })),
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
    cursor: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: '`next_cursor` of the previous page.' }),
    ),
  },
  { additionalProperties: false },
);

const Permission = Type.Optional(Type.Enum(['MEMBER', 'ADMINISTRATOR', 'OWNER']));

/** Additional data from the platform. */
const Facts = Type.Object({
  group_name: Type.Optional(Type.String()),
  sender_permission: Permission,
  bot_permission: Permission,
  special_title: Type.Optional(Type.String()),
  sender_remark: Type.Optional(Type.String()),
  bot_mentions: Type.Optional(
    Type.Immutable(
      Type.Array(Type.Enum(['role', 'reply', 'everyone']), {
        description: 'How the bot is meant beside a mention of its account.',
      }),
    ),
  ),
  signed_in_admin: Type.Optional(Type.Boolean({ description: 'The sender was a signed-in admin.' })),
  replaces: Type.Optional(Type.String({ format: 'uuid', description: 'The earlier question that it replaces.' })),
  has_context: Type.Optional(Type.Boolean({ description: 'The message came with a history or instructions.' })),
  trial: Type.Optional(
    Type.Object(
      {
        version: Type.Optional(Type.Union([Type.Literal('draft'), Type.Integer()])),
        model_uuid: Type.Optional(Uuid),
      },
      { description: 'An admin tried this version of the pipeline, or this model, in the console.' },
    ),
  ),
});

const Message = Type.Object(
  {
    uuid: Uuid,
    bot_uuid: Uuid,
    conversation_uuid: Uuid,
    pipeline_uuid: Type.String({ description: 'Empty if the bot had none.' }),
    session_type: SessionTypeName,
    session_id: Type.String({ description: 'The user or the group.' }),
    thread_id: Type.String({ description: 'Empty without threads.' }),
    direction: Direction,
    platform_message_id: nullable(Type.String()),
    reply_to: nullable(Uuid, 'The message that this one answers; null for messages of `send_message`.'),
    sequence: Type.Integer({ minimum: 1, description: 'Number in the conversation.' }),
    sender_id: Type.String(),
    sender_name: Type.String(),
    facts: Facts,
    message_chain: Chain,
    text: Type.String(),
    state: State,
    reason: nullable(Type.String(), '`answered`, or why it ended or waits: a reason of docs/errors.md.'),
    merged_into: nullable(Uuid, 'The message that it was answered together with.'),
    attempts: Type.Integer({ minimum: 0, description: 'Number of attempts to answer it.' }),
    created_at: Timestamp,
    finished_at: nullable(Timestamp),
    delivery_state: nullable(DeliveryStateName, 'Outbound only, summarizes all parts.'),
    failure: nullable(
      Type.String(),
      'Outbound only: the reason of the failure that it reports instead of an answer, of docs/errors.md.',
    ),
    session_name: nullable(
      Type.String(),
      'Display name of the group, or of the user of a private chat; null if it is not known.',
    ),
  },
  { title: 'Message' },
);

export const MessagePage = Type.Object({
  messages: Type.Array(Message),
  next_cursor: nullable(
    Type.String(),
    'Null when there are no more. A page with a cursor may hold less than `limit`, or nothing.',
  ),
});

const deliveryFields = {
  piece: Count,
  state: DeliveryStateName,
  platform_message_id: nullable(Type.String()),
  reason: ReasonOrNull,
  error: nullable(Type.String(), 'The error of the platform.'),
  created_at: Timestamp,
  updated_at: Timestamp,
};

const Delivery = Type.Object({ ...deliveryFields, message_chain: Chain }, { title: 'Delivery' });

export const MessageAnswer = Type.Object({
  message: Message,
  deliveries: Type.Array(Delivery, { description: 'The parts of an outbound message.' }),
  answer: nullable(Type.Object({ message: Message, deliveries: Type.Array(Delivery) })),
  reply_to: nullable(Message, 'The message that this one answers.'),
});

const Step = Type.Object(
  {
    name: Type.String({ description: 'A stage of the pipeline, or a step such as `runner`.' }),
    outcome: Type.Enum(['passed', 'changed', 'merged', 'stopped', 'waited', 'failed']),
    reason: ReasonOrNull,
    milliseconds: Type.Number(),
    details: Anything,
  },
  { title: 'MessageStep' },
);

const ResponseOrNull = nullable(
  Type.Object(
    {
      status: nullable(Type.Integer(), 'HTTP status; null without.'),
      text: Type.String({ description: 'Its error message, without secrets.' }),
    },
    { title: 'RemoteResponse' },
  ),
  'What the provider or service returned instead.',
);

const HintOrNull = nullable(
  Type.Object(
    {
      code: Type.String({ description: 'A hint of docs/errors.md.' }),
      parameters: Type.Record(Type.String(), Type.String()),
    },
    { title: 'Hint' },
  ),
  'The cause, if it can be named.',
);

const ModelCall = Type.Object(
  {
    uuid: Uuid,
    model_uuid: nullable(Type.String(), 'Null if an external service chose the model.'),
    model_name: Type.String(),
    started_at: Timestamp,
    milliseconds: Count,
    first_piece_milliseconds: nullable(Count),
    input_tokens: Count,
    output_tokens: Count,
    cost: nullable(Type.Number(), 'Null without a known price.'),
    reason: ReasonOrNull,
    error: nullable(Type.String()),
    plugin_id: Type.Optional(Type.String({ description: 'The plugin that made it; absent if the pipeline did.' })),
    failure: nullable(
      Type.Object({ response: ResponseOrNull, hint: HintOrNull }, { title: 'CallFailure' }),
      'Null if it succeeded, or nothing else is known of the failure.',
    ),
  },
  { title: 'ModelCall' },
);

export const KeptRequests = Type.Object({
  requests: Type.Array(
    Type.Object(
      {
        call_uuid: Uuid,
        method: Type.String(),
        url: Type.String(),
        headers: Type.Record(Type.String(), Type.String(), { description: 'Credentials are `…`.' }),
        body: nullable(
          Type.String({ description: 'JSON, unless it is truncated. Files are replaced by their type and size.' }),
        ),
        body_size: Count,
        truncated: Type.Boolean(),
        expires_at: Timestamp,
      },
      { title: 'ModelRequest' },
    ),
    { description: 'In the order of the calls.' },
  ),
});

const ToolCall = Type.Object(
  {
    uuid: Uuid,
    tool_name: Type.String(),
    parameters: Type.String({ description: 'JSON from the model; long values are truncated.' }),
    result: nullable(Type.String()),
    result_size: nullable(Count, 'Bytes of the complete result.'),
    state: Type.Enum(['running', 'succeeded', 'failed', 'interrupted']),
    reason: ReasonOrNull,
    error: nullable(Type.String()),
    started_at: Timestamp,
    milliseconds: nullable(Count),
  },
  { title: 'ToolCall' },
);

const Source = Type.Object(
  {
    document_id: Type.String(),
    file_id: Type.String(),
    file_name: Type.String(),
    page: nullable(Type.Integer(), 'From 1; null for formats without pages.'),
    page_end: nullable(Type.Integer()),
    heading_path: Type.Array(Type.String(), { description: 'Outermost first.' }),
    start: Type.Integer({ description: 'Offset in the text of the document, in UTF-16 code units.' }),
    end: Type.Integer(),
  },
  { title: 'PassageSource' },
);

const Leg = Type.Optional(Type.Object({ rank: Type.Integer({ minimum: 1 }), score: Type.Number() }));

const Passage = Type.Object(
  {
    id: Type.String({ description: 'Id of the chunk in its collection.' }),
    knowledge_base_uuid: Type.String(),
    knowledge_base_name: Type.String(),
    text: Type.String({ description: 'Truncated if long.' }),
    distance: Type.Number({ minimum: 0, description: 'Lower is closer.' }),
    score: nullable(Type.Number()),
    legs: Type.Object(
      { keyword: Leg, vector: Leg, rerank: Leg },
      { description: 'Rank in each kind of search that found it.' },
    ),
    source: nullable(Source, 'Source of the passage; null if the engine does not report it.'),
    number: nullable(Type.Integer({ minimum: 1 }), 'Number in the prompt; null if it was omitted.'),
    cited_as: nullable(Type.Integer({ minimum: 1 }), 'Number in the answer; null if it is not cited.'),
  },
  { title: 'RetrievedPassageRecord' },
);

const MessageRetrieval = Type.Object(
  {
    uuid: Uuid,
    question: Type.String({ description: 'Truncated if long.' }),
    asked_by: Type.Enum(['runner', 'model'], {
      description: '`runner`: before the answer, with the text of the message. `model`: by a tool call.',
    }),
    knowledge_bases: Type.Array(Type.String()),
    started_at: Timestamp,
    milliseconds: Count,
    passages: Type.Array(Passage, { description: 'Best first.' }),
    failures: Type.Array(
      Type.Object({ knowledge_base_uuid: Type.String(), reason: Type.String(), error: Type.String() }),
      { description: 'Knowledge bases that did not respond.' },
    ),
  },
  { title: 'MessageRetrieval' },
);

const MessageCitation = Type.Object(
  {
    number: Type.Integer({ minimum: 1, description: 'Number in the answer: `[1]`.' }),
    knowledge_base_uuid: Type.String(),
    chunk_id: Type.String(),
    source: nullable(Source, 'Source of the quote, or of the passage without a quote.'),
    quote: nullable(Type.String(), 'Quoted text; null if the answer quoted none.'),
  },
  { title: 'MessageCitation' },
);

const PipelineVersionUsed = Type.Object({
  version: Type.Integer({ description: 'Of a draft, the published version that it was begun from.' }),
  draft: nullable(
    Type.Object({ updated_at: Timestamp }),
    'When the draft was saved; null if the version was published.',
  ),
});

export const MessageExplanation = Type.Object(
  {
    message: Message,
    summary: Type.String({ description: 'One to three sentences.' }),
    outcome: Type.String({
      description: 'State of an inbound message; of an outbound one `writing`, or its delivery state.',
    }),
    reason: nullable(Type.String()),
    failure: nullable(
      Type.Object(
        {
          reason: Type.String({ description: 'A reason of docs/errors.md.' }),
          error: nullable(Type.String(), 'In English; the error of the platform for a delivery.'),
          response: ResponseOrNull,
          hint: HintOrNull,
        },
        { title: 'MessageFailure' },
      ),
      'Why the message was not answered, or its answer may not have arrived. Null if neither failed.',
    ),
    waiting: nullable(
      Type.Object({
        until: nullable(Timestamp, 'Earliest time; null for as soon as possible.'),
        reason: ReasonOrNull,
      }),
      'Null when it does not wait.',
    ),
    attempts: Count,
    total_milliseconds: Type.Number({ description: 'Until its end, or now.' }),
    pipeline: nullable(PipelineVersionUsed, 'The version of its pipeline; null if that is not known.'),
    steps: Type.Array(Step, { description: 'In order; empty until the message is processed.' }),
    model_calls: Type.Array(ModelCall),
    tool_calls: Type.Array(ToolCall),
    retrievals: Type.Array(MessageRetrieval, {
      description: 'Queries to knowledge bases for the answer, in order.',
    }),
    citations: nullable(
      Type.Object({
        cited: Type.Array(MessageCitation),
        dropped: Count,
      }),
      'What the answer cites, and how many citations were taken out because no passage holds them. Null where nothing could be cited.',
    ),
    deliveries: Type.Array(Type.Object(deliveryFields, { title: 'DeliveryProgress' })),
    merged: Type.Array(Uuid, { description: 'Messages that were answered together with this one.' }),
    merged_into: nullable(Uuid),
  },
  { title: 'MessageExplanation' },
);
