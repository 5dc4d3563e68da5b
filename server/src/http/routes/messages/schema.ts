import Type, { type TSchema } from 'typebox';

const Uuid = Type.String({ format: 'uuid' });
const Timestamp = Type.String({ format: 'date-time' });
const Count = Type.Integer({ minimum: 0 });
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

function orNull<Schema extends TSchema>(schema: Schema, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}

const ReasonOrNull = orNull(Type.String(), 'One of the stable words of docs/errors.md.');

export const MessageParams = Type.Object({ message_uuid: Uuid });

export const ImageParams = Type.Object({
  message_uuid: Uuid,
  element: Type.Integer({ minimum: 0, maximum: 100_000, description: 'Place in `message_chain`, from 0.' }),
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
      description: '`pending`: the answer is queued. `sent`: a message that a program sent was sent again.',
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
      Type.String({ pattern: '^[a-z_]{1,64}$', description: '`answered`, or one of the words of docs/errors.md.' }),
    ),
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Stands in the text; upper and lower case are the same.',
      }),
    ),
    from: Type.Optional(Type.String({ format: 'date-time', description: 'The earliest moment.' })),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'The moment before which it was.' })),
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
    cursor: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: '`next_cursor` of the page before.' }),
    ),
  },
  { additionalProperties: false },
);

const Permission = Type.Optional(Type.Enum(['MEMBER', 'ADMINISTRATOR', 'OWNER']));

/** What the platform told beyond who wrote what where. */
const Facts = Type.Object({
  group_name: Type.Optional(Type.String()),
  sender_permission: Permission,
  bot_permission: Permission,
  special_title: Type.Optional(Type.String()),
  sender_remark: Type.Optional(Type.String()),
  signed_in_admin: Type.Optional(Type.Boolean({ description: 'The sender was signed in to an admin account.' })),
  has_context: Type.Optional(Type.Boolean({ description: 'What was said before, or instructions, came with it.' })),
});

const Message = Type.Object(
  {
    uuid: Uuid,
    bot_uuid: Uuid,
    conversation_uuid: Uuid,
    pipeline_uuid: Type.String({ description: 'Empty when the bot had none.' }),
    session_type: SessionTypeName,
    session_id: Type.String({ description: 'The person, or the group.' }),
    thread_id: Type.String({ description: 'Empty where there are no threads.' }),
    direction: Direction,
    platform_message_id: orNull(Type.String()),
    reply_to: orNull(Uuid, 'The message that this one answers; null for one that was sent unasked.'),
    sequence: Type.Integer({ minimum: 1, description: 'Place in the conversation.' }),
    sender_id: Type.String(),
    sender_name: Type.String(),
    facts: Facts,
    message_chain: Chain,
    text: Type.String(),
    state: State,
    reason: orNull(Type.String(), '`answered`, or why it ended or waits: a word of docs/errors.md.'),
    merged_into: orNull(Uuid, 'The message that it was answered together with.'),
    attempts: Type.Integer({ minimum: 0, description: 'How often it was begun to be answered.' }),
    created_at: Timestamp,
    finished_at: orNull(Timestamp),
    delivery_state: orNull(DeliveryStateName, 'Outbound only, of all its pieces together.'),
  },
  { title: 'Message' },
);

export const MessagePage = Type.Object({
  messages: Type.Array(Message),
  next_cursor: orNull(
    Type.String(),
    'Null when there are no more. A page with a cursor may hold less than `limit`, or nothing.',
  ),
});

const deliveryFields = {
  piece: Count,
  state: DeliveryStateName,
  platform_message_id: orNull(Type.String()),
  reason: ReasonOrNull,
  error: orNull(Type.String(), 'What the platform said.'),
  created_at: Timestamp,
  updated_at: Timestamp,
};

const Delivery = Type.Object({ ...deliveryFields, message_chain: Chain }, { title: 'Delivery' });

export const MessageAnswer = Type.Object({
  message: Message,
  deliveries: Type.Array(Delivery, { description: 'The pieces of an outbound message.' }),
  answer: orNull(Type.Object({ message: Message, deliveries: Type.Array(Delivery) })),
  reply_to: orNull(Message, 'The message that this one answers.'),
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

const ModelCall = Type.Object(
  {
    uuid: Uuid,
    model_uuid: orNull(Type.String(), 'Null where a service elsewhere chose the model.'),
    model_name: Type.String(),
    started_at: Timestamp,
    milliseconds: Count,
    first_piece_milliseconds: orNull(Count),
    input_tokens: Count,
    output_tokens: Count,
    cost: orNull(Type.Number(), 'Null where no price is known.'),
    reason: ReasonOrNull,
    error: orNull(Type.String()),
  },
  { title: 'ModelCall' },
);

const ToolCall = Type.Object(
  {
    uuid: Uuid,
    tool_name: Type.String(),
    parameters: Type.String({ description: 'As the model gave them, JSON; a long text is cut.' }),
    result: orNull(Type.String()),
    result_size: orNull(Count, 'Bytes of the whole result.'),
    state: Type.Enum(['running', 'succeeded', 'failed', 'interrupted']),
    reason: ReasonOrNull,
    error: orNull(Type.String()),
    started_at: Timestamp,
    milliseconds: orNull(Count),
  },
  { title: 'ToolCall' },
);

const Source = Type.Object(
  {
    document_id: Type.String(),
    file_id: Type.String(),
    file_name: Type.String(),
    page: orNull(Type.Integer(), 'From 1; null where the format has no pages.'),
    page_end: orNull(Type.Integer()),
    heading_path: Type.Array(Type.String(), { description: 'The outermost first.' }),
    start: Type.Integer({ description: "Characters of the document's text before it (UTF-16 code units)." }),
    end: Type.Integer(),
  },
  { title: 'PassageSource' },
);

const Leg = Type.Optional(Type.Object({ rank: Type.Integer({ minimum: 1 }), score: Type.Number() }));

const Passage = Type.Object(
  {
    id: Type.String({ description: 'Of the chunk, in its collection.' }),
    knowledge_base_uuid: Type.String(),
    knowledge_base_name: Type.String(),
    text: Type.String({ description: 'A long one is cut.' }),
    distance: Type.Number({ minimum: 0, description: 'Lower is closer.' }),
    score: orNull(Type.Number()),
    legs: Type.Object(
      { keyword: Leg, vector: Leg, rerank: Leg },
      { description: 'How each way of searching placed it; one that did not find it is absent.' },
    ),
    source: orNull(Source, 'Where it stands; null where its engine does not tell.'),
    number: orNull(Type.Integer({ minimum: 1 }), 'What the model was shown it by; null when it was left out.'),
    cited_as: orNull(Type.Integer({ minimum: 1 }), 'The number that the answer has for it; null when it is not cited.'),
  },
  { title: 'RetrievedPassageRecord' },
);

const MessageRetrieval = Type.Object(
  {
    uuid: Uuid,
    question: Type.String({ description: 'A long one is cut.' }),
    asked_by: Type.Enum(['runner', 'model'], {
      description: "`runner`: before the answer, with the person's words. `model`: by a tool.",
    }),
    knowledge_bases: Type.Array(Type.String()),
    started_at: Timestamp,
    milliseconds: Count,
    passages: Type.Array(Passage, { description: 'Best first.' }),
    failures: Type.Array(
      Type.Object({ knowledge_base_uuid: Type.String(), reason: Type.String(), error: Type.String() }),
      { description: 'Knowledge bases that did not answer.' },
    ),
  },
  { title: 'MessageRetrieval' },
);

const MessageCitation = Type.Object(
  {
    number: Type.Integer({ minimum: 1, description: 'As it stands in the answer: `[1]`.' }),
    knowledge_base_uuid: Type.String(),
    chunk_id: Type.String(),
    source: orNull(Source, 'Where the quote stands, or the passage where there is none.'),
    quote: orNull(Type.String(), 'The words of the passage; null where the answer quoted none.'),
  },
  { title: 'MessageCitation' },
);

export const MessageExplanation = Type.Object(
  {
    message: Message,
    summary: Type.String({ description: 'One to three sentences.' }),
    outcome: Type.String({
      description: 'State of an inbound message; of an outbound one `writing`, or how its delivery goes.',
    }),
    reason: orNull(Type.String()),
    waiting: orNull(
      Type.Object({
        until: orNull(Timestamp, 'Not before this moment; null for as soon as its turn comes.'),
        reason: ReasonOrNull,
      }),
      'Null when it does not wait.',
    ),
    attempts: Count,
    total_milliseconds: Type.Number({ description: 'Until its end, or until now.' }),
    steps: Type.Array(Step, { description: 'In order; empty while it is on its way.' }),
    model_calls: Type.Array(ModelCall),
    tool_calls: Type.Array(ToolCall),
    retrievals: Type.Array(MessageRetrieval, {
      description: 'What knowledge bases were asked for the answer, in order.',
    }),
    citations: orNull(
      Type.Object({
        cited: Type.Array(MessageCitation),
        dropped: Count,
      }),
      'What the answer cites, and how many citations were taken out because no passage holds them. Null where nothing could be cited.',
    ),
    deliveries: Type.Array(Type.Object(deliveryFields, { title: 'DeliveryProgress' })),
    merged: Type.Array(Uuid, { description: 'Messages that were answered together with it.' }),
    merged_into: orNull(Uuid),
  },
  { title: 'MessageExplanation' },
);
