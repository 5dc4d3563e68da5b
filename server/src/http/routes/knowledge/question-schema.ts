import Type from 'typebox';
import {
  ChangedGoldenQuestion,
  GoldenQuestionView,
  NewGoldenQuestions,
} from '../../../core/knowledge/golden-question-request.ts';
import { Uuid } from '../../../lib/schema-parts.ts';
import { NextCursor } from './shared-schema.ts';

export const QuestionParams = Type.Object({ knowledge_base_uuid: Uuid, question_uuid: Uuid });
export const QuestionAnswer = Type.Object({ question: GoldenQuestionView });
export const QuestionList = Type.Object({ questions: Type.Array(GoldenQuestionView), next_cursor: NextCursor });
export const CreatedQuestions = Type.Object({ questions: Type.Array(GoldenQuestionView) });
export { ChangedGoldenQuestion, NewGoldenQuestions };
