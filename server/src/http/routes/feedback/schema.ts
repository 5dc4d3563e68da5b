import Type from 'typebox';

export const FeedbackParams = Type.Object({ message_uuid: Type.String({ format: 'uuid' }) });

const FeedbackType = Type.Union([Type.Literal(1), Type.Literal(2)], { description: '1 for a like, 2 for a dislike.' });
const Content = Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()]);
const Reasons = Type.Union([Type.Array(Type.String({ minLength: 1, maxLength: 512 }), { maxItems: 100 }), Type.Null()]);

export const FeedbackBody = Type.Object(
  {
    feedback_type: FeedbackType,
    feedback_content: Type.Optional(Content),
    inaccurate_reasons: Type.Optional(Reasons),
  },
  { additionalProperties: false },
);

const maybe = Type.Union([Type.String(), Type.Null()]);
export const StoredFeedback = Type.Object({
  feedback: Type.Object(
    {
      feedback_id: Type.String(),
      created_at: Type.String({ format: 'date-time' }),
      feedback_type: FeedbackType,
      feedback_content: maybe,
      inaccurate_reasons: Type.Union([Type.Array(Type.String()), Type.Null()]),
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
