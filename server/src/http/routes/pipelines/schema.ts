import Type from 'typebox';
import { FormTab } from '../../../core/forms/form-fields.ts';
import {
  BoundExtensions,
  CreatePipeline,
  Pipeline,
  PipelineExtensions,
  UpdatePipeline,
} from '../../../core/pipelines/pipeline.ts';
import { listParameters, total } from '../../record-lists.ts';

export const PipelineParams = Type.Object({ pipeline_uuid: Type.String({ format: 'uuid' }) });

export const pipelineOrders = ['name', 'created_at', 'updated_at'] as const;
export const pipelineFilters = {
  used: Type.Optional(Type.Boolean({ description: 'Whether bots use it, directly or by a routing rule.' })),
};

/** An unknown order means the default order, as in the reference system. */
export const PipelineQuery = Type.Object({
  ...listParameters(pipelineOrders, pipelineFilters),
  sort_by: Type.Optional(
    Type.String({ description: '`created_at` or `updated_at`; with another parameter of the list, also `name`.' }),
  ),
  sort_order: Type.Optional(Type.String({ description: '`DESC`, or anything else for ascending.' })),
});

export const PipelineAnswer = Type.Object({ pipeline: Pipeline });
export const PipelineList = Type.Object({ pipelines: Type.Array(Pipeline), total });
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
