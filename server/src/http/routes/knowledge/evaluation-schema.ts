import Type from 'typebox';
import { Evaluation, EvaluationSummary } from '../../../core/knowledge/golden-question.ts';
import { nullable, Uuid } from '../../../lib/schema-parts.ts';
import { NextCursor } from './shared-schema.ts';

export const EvaluationParams = Type.Object({ knowledge_base_uuid: Uuid, evaluation_uuid: Uuid });
export const EvaluationAnswer = Type.Object({ evaluation: Evaluation });
export const EvaluationList = Type.Object({ evaluations: Type.Array(EvaluationSummary), next_cursor: NextCursor });
export const StartedEvaluation = Type.Object({ uuid: Uuid, task_id: Type.Integer({ minimum: 1 }) });
export const NewEvaluation = Type.Object(
  {
    collection_id: Type.Optional(nullable(Type.String({ maxLength: 255 }), 'Default: the active collection.')),
    model_uuid: Type.Optional(
      nullable(
        Type.String({ maxLength: 255 }),
        'A language model that is to answer each question from what is found, to see what it cites.',
      ),
    ),
  },
  { additionalProperties: false },
);
