import Type from 'typebox';
import { FormTab } from '../../../core/forms/form-fields.ts';
import {
  BoundExtensions,
  CreatePipeline,
  Pipeline,
  PipelineExtensions,
  UpdatePipeline,
} from '../../../core/pipelines/pipeline.ts';

export const PipelineParams = Type.Object({ pipeline_uuid: Type.String({ format: 'uuid' }) });

/** An unknown order means the default order, as in the reference system. */
export const PipelineQuery = Type.Object({
  sort_by: Type.Optional(Type.String({ description: '`created_at` or `updated_at`.' })),
  sort_order: Type.Optional(Type.String({ description: '`DESC`, or anything else for ascending.' })),
});

export const PipelineAnswer = Type.Object({ pipeline: Pipeline });
export const PipelineList = Type.Object({ pipelines: Type.Array(Pipeline) });
/** The tabs `trigger`, `safety`, `ai` and `output`. */
export const PipelineMetadata = Type.Object({ configs: Type.Array(FormTab) });
export const CreatedPipeline = Type.Object({ uuid: Type.String({ format: 'uuid' }) });
export { BoundExtensions, CreatePipeline, PipelineExtensions, UpdatePipeline };

export const VersionParams = Type.Object({
  pipeline_uuid: Type.String({ format: 'uuid' }),
  version: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
});
export const PublishDraft = Type.Object(
  {
    replaces: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'The version that must be published now: if it is another one, nothing is changed and the answer is 412 `record_changed`.',
      }),
    ),
  },
  { additionalProperties: false },
);
