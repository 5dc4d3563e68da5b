import Type from 'typebox';
import { Count, nullable, Timestamp, Uuid } from '../../../lib/schema-parts.ts';
import { Settings } from './shared-schema.ts';

export const CollectionState = Type.Enum(['active', 'building', 'waiting', 'failed', 'dropping'], {
  description:
    '`active`: used by searches. `building`: documents are being indexed. `waiting`: complete, but finds less than the ' +
    'active one by the golden questions, so an admin must decide. `failed`: could not be completed. `dropping`: ' +
    'being deleted.',
});

export const Collection = Type.Object(
  {
    collection_id: Type.String(),
    knowledge_base_uuid: Uuid,
    state: CollectionState,
    creation_settings: Settings,
    error: nullable(Type.String(), 'Why it could not be completed.'),
    evaluation_uuid: nullable(Uuid, 'The evaluation that decided on it.'),
    document_count: Count,
    chunk_count: Count,
    missing_count: Type.Integer({ minimum: 0, description: 'Documents that are not indexed in it yet.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'KnowledgeCollection' },
);

export const CollectionParams = Type.Object({ knowledge_base_uuid: Uuid, collection_id: Uuid });
export const CollectionList = Type.Object({ collections: Type.Array(Collection) });
export const CollectionAnswer = Type.Object({ collection: Collection });
export const StartedRebuild = Type.Object({ task_id: Type.Integer({ minimum: 1 }), collection: Collection });
export const Rebuild = Type.Object(
  {
    creation_settings: Type.Optional(
      Type.Record(Type.String({ maxLength: 255 }), Type.Unknown(), {
        maxProperties: 200,
        description: 'Default: those of the active collection.',
      }),
    ),
  },
  { additionalProperties: false },
);
