import Type from 'typebox';
import { nullable } from '../../../lib/schema-parts.ts';

export const FeedbackParams = Type.Object({ message_uuid: Type.String({ format: 'uuid' }) });

const FeedbackType = Type.Union([Type.Literal(1), Type.Literal(2)], { description: '1 for a like, 2 for a dislike.' });
/** Most messages of one request. */
const mostMessages = 100;

export const OpinionsQuery = Type.Object({
  message_uuids: Type.String({
    pattern: '^[0-9a-fA-F-]{36}(,[0-9a-fA-F-]{36}){0,99}$',
    description: `Up to ${mostMessages}, separated by commas.`,
  }),
});

export const OpinionList = Type.Object({
  feedback: Type.Array(
    Type.Object(
      { message_uuid: Type.String({ format: 'uuid' }), feedback_type: FeedbackType },
      { title: 'OwnFeedback' },
    ),
  ),
});

const Content = nullable(Type.String({ maxLength: 10_000 }));
const Reasons = nullable(Type.Array(Type.String({ minLength: 1, maxLength: 512 }), { maxItems: 100 }));

export const FeedbackBody = Type.Object(
  {
    feedback_type: FeedbackType,
    feedback_content: Type.Optional(Content),
    inaccurate_reasons: Type.Optional(Reasons),
  },
  { additionalProperties: false },
);

const maybe = nullable(Type.String());
export const StoredFeedback = Type.Object({
  feedback: Type.Object(
    {
      feedback_id: Type.String(),
      created_at: Type.String({ format: 'date-time' }),
      feedback_type: FeedbackType,
      feedback_content: maybe,
      inaccurate_reasons: nullable(Type.Array(Type.String())),
      message_uuid: maybe,
      bot_uuid: Type.String(),
      pipeline_uuid: Type.String(),
      session_id: maybe,
      user_id: maybe,
      platform: maybe,
    },
    { title: 'Feedback' },
  ),
});
