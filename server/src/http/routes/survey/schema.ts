import Type from 'typebox';

/** Always null: there are no surveys. */
export const PendingSurvey = Type.Object({ survey: Type.Null() });

const surveyId = Type.String({ minLength: 1, maxLength: 255 });

export const RespondToSurvey = Type.Object(
  {
    survey_id: surveyId,
    answers: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    completed: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false, title: 'RespondToSurvey' },
);

export const DismissSurvey = Type.Object(
  { survey_id: surveyId },
  { additionalProperties: false, title: 'DismissSurvey' },
);
