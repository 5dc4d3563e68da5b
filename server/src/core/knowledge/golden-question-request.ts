import Type, { type Static } from 'typebox';
import { nullable, Uuid } from '../../lib/schema-parts.ts';

/** Most questions that are written with one request, and most expected passages of one. */
export const maximumAtOnce = 500;
const maximumExpected = 20;
const longestText = 2000;

/** A passage that should be found, as it is shown. */
export const ExpectedPassageView = Type.Object(
  {
    document_uuid: Uuid,
    file_name: nullable(Type.String(), 'Null when the document is gone, and the passage is not expected any more.'),
    quote: nullable(Type.String(), 'Text that a passage must contain to count; null for any passage of the document.'),
    grade: Type.Integer({ minimum: 1, maximum: 10, description: 'How relevant it is.' }),
  },
  { title: 'ExpectedPassage' },
);

export const GoldenQuestionView = Type.Object(
  {
    uuid: Uuid,
    knowledge_base_uuid: Uuid,
    question: Type.String(),
    expected: Type.Array(ExpectedPassageView),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { title: 'GoldenQuestion' },
);
export type GoldenQuestionView = Static<typeof GoldenQuestionView>;

const GivenExpectedPassage = Type.Object(
  {
    document_uuid: Type.Optional(Type.String({ description: 'The document, by its uuid in the knowledge base …' })),
    file_id: Type.Optional(Type.String({ description: '… or by what its upload was answered with …' })),
    file_name: Type.Optional(
      nullable(Type.String(), '… or by its name, where no other has it. The first of the three that is given counts.'),
    ),
    quote: Type.Optional(
      nullable(
        Type.String({ maxLength: longestText }),
        'Text of the document that a passage must contain to count. Spaces and case do not matter.',
      ),
    ),
    grade: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, description: 'How relevant it is. Default 1.' })),
  },
  { additionalProperties: false },
);
export type GivenExpectedPassage = Static<typeof GivenExpectedPassage>;

const question = Type.String({ minLength: 1, maxLength: longestText, pattern: '\\S' });
const expected = Type.Array(GivenExpectedPassage, { minItems: 1, maxItems: maximumExpected });

export const NewGoldenQuestion = Type.Object({ question, expected }, { additionalProperties: false });
export type NewGoldenQuestion = Static<typeof NewGoldenQuestion>;

/** One question, or several. */
export const NewGoldenQuestions = Type.Object(
  {
    question: Type.Optional(question),
    expected: Type.Optional(expected),
    questions: Type.Optional(
      Type.Array(NewGoldenQuestion, {
        minItems: 1,
        maxItems: maximumAtOnce,
        description: 'Several questions, instead of `question` and `expected`. All of them are written, or none.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type NewGoldenQuestions = Static<typeof NewGoldenQuestions>;

/** Omitted fields stay unchanged. */
export const ChangedGoldenQuestion = Type.Partial(NewGoldenQuestion, { additionalProperties: false });
export type ChangedGoldenQuestion = Static<typeof ChangedGoldenQuestion>;
