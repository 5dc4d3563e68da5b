import type { ModelKind } from '@parley/sdk';
import Type from 'typebox';
import {
  CreateLanguageModel,
  CreateModel,
  EmbeddingModelRecord,
  LanguageModelRecord,
  RerankModelRecord,
  UpdateLanguageModel,
  UpdateModel,
} from '../../../core/models/model.ts';
import {
  EmbeddingModelTested,
  LanguageModelTested,
  RerankModelTested,
  TestLanguageModel,
  TestModel,
} from '../../../core/models/model-test.ts';
import { unsavedModel } from '../../../core/models/model-tester.ts';
import { listParameters } from '../../record-lists.ts';
import { readOnlyNamedProviderFields } from '../providers/schema.ts';

/** What differs between the kinds of models. */
export const kinds = [
  {
    kind: 'llm',
    path: '/api/v1/provider/models/llm',
    audit: 'language-model',
    /** With and without the article. */
    names: ['an LLM model', 'LLM models'],
    record: LanguageModelRecord,
    create: CreateLanguageModel,
    update: UpdateLanguageModel,
    test: TestLanguageModel,
    tested: LanguageModelTested,
  },
  {
    kind: 'text-embedding',
    path: '/api/v1/provider/models/embedding',
    audit: 'embedding-model',
    names: ['an embedding model', 'embedding models'],
    record: EmbeddingModelRecord,
    create: CreateModel,
    update: UpdateModel,
    test: TestModel,
    tested: EmbeddingModelTested,
  },
  {
    kind: 'rerank',
    path: '/api/v1/provider/models/rerank',
    audit: 'rerank-model',
    names: ['a rerank model', 'rerank models'],
    record: RerankModelRecord,
    create: CreateModel,
    update: UpdateModel,
    test: TestModel,
    tested: RerankModelTested,
  },
] as const satisfies { kind: ModelKind; [field: string]: unknown }[];

export const ModelParams = Type.Object({ model_uuid: Type.String({ format: 'uuid' }) });
export const TestParams = Type.Object({
  model_uuid: Type.String({
    pattern: `^(${unsavedModel}|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$`,
    description: `Uuid of a stored model, or \`${unsavedModel}\` for the model in the body.`,
  }),
});
export const modelOrders = ['name', 'provider', 'prefered_ranking', 'created_at', 'updated_at'] as const;
export const modelFilters = {
  provider_uuid: Type.Optional(
    Type.String({ description: 'Only models of this provider, without the provider in each.' }),
  ),
};
export const ModelQuery = Type.Object(listParameters(modelOrders, modelFilters));
export const CreatedModel = Type.Object({ uuid: Type.String({ format: 'uuid' }) });

/** Read-only fields of a model and its provider. */
export const readOnlyModelFields = ['uuid', 'created_at', 'updated_at', ...readOnlyNamedProviderFields];
