import Type from 'typebox';
import { nullable, Uuid } from '../../../lib/schema-parts.ts';

export const Settings = Type.Record(Type.String(), Type.Unknown());
export const Cursor = Type.Optional(
  Type.String({ minLength: 1, maxLength: 200, description: '`next_cursor` of the previous page.' }),
);
export const NextCursor = nullable(Type.String(), 'Null on the last page.');

/** Of a list that is returned completely by default. */
export const PageQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Default: all.' })),
    cursor: Cursor,
  },
  { additionalProperties: false },
);

export const KnowledgeBaseParams = Type.Object({ knowledge_base_uuid: Uuid });
