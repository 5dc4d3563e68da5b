import { I18nText } from '@parley/sdk';
import Type from 'typebox';
import { CreateKnowledgeBase, UpdateKnowledgeBase } from '../../../core/knowledge/knowledge-base.ts';
import { Count, nullable, Timestamp, Uuid } from '../../../lib/schema-parts.ts';
import { listParameters, total } from '../../record-lists.ts';
import { CollectionState } from './collection-schema.ts';
import { Settings } from './shared-schema.ts';

const CollectionSummary = Type.Object(
  {
    collection_id: Type.String(),
    state: CollectionState,
    document_count: Count,
    chunk_count: Count,
    missing_count: Count,
    error: nullable(Type.String()),
    evaluation_uuid: nullable(Uuid),
  },
  { title: 'KnowledgeCollectionSummary' },
);

export const KnowledgeBase = Type.Object(
  {
    uuid: Uuid,
    name: Type.String(),
    description: Type.String(),
    emoji: nullable(Type.String()),
    knowledge_engine_plugin_id: nullable(Type.String({ description: '`author/name` of the engine.' })),
    collection_id: Type.String({ description: 'The active collection.' }),
    creation_settings: nullable(Settings),
    retrieval_settings: nullable(Settings),
    knowledge_engine: Type.Object({
      plugin_id: nullable(Type.String()),
      name: I18nText,
      capabilities: Type.Array(Type.String()),
    }),
    document_count: Count,
    chunk_count: Type.Integer({ minimum: 0, description: 'In the active collection.' }),
    collections: Type.Array(CollectionSummary, {
      description: 'The active collection, and others: one being built, waiting for a decision, or failed.',
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'KnowledgeBase' },
);

export const NewKnowledgeBase = Type.Object(
  {
    ...CreateKnowledgeBase.properties,
    knowledge_engine_plugin_id: Type.String({ minLength: 1, maxLength: 255, description: '`author/name`.' }),
  },
  { additionalProperties: false },
);

export const knowledgeBaseOrders = ['name', 'document_count', 'chunk_count', 'created_at', 'updated_at'] as const;
export const knowledgeBaseFilters = {
  used: Type.Optional(Type.Boolean({ description: 'Whether pipelines name it.' })),
};
export const KnowledgeBaseQuery = Type.Object(listParameters(knowledgeBaseOrders, knowledgeBaseFilters));
export const KnowledgeBaseList = Type.Object({ bases: Type.Array(KnowledgeBase), total });
export const KnowledgeBaseAnswer = Type.Object({ base: KnowledgeBase });
export const CreatedKnowledgeBase = Type.Object({ uuid: Uuid });
export const ChangedKnowledgeBase = Type.Object({
  uuid: Uuid,
  task_id: nullable(
    Type.Integer({ minimum: 1 }),
    'The task that re-indexes all documents after a change of `creation_settings`; null if there is none.',
  ),
});
export { UpdateKnowledgeBase };
