import type { RetrievedPassage } from '@parley/sdk';
import Type, { type Static } from 'typebox';
import { Count, nullable, Uuid } from '../../../lib/schema-parts.ts';
import { Settings } from './shared-schema.ts';

export const RetrievalQuestion = Type.Object(
  {
    query: Type.String({ minLength: 1, maxLength: 10_000, pattern: '\\S' }),
    retrieval_settings: Type.Optional(nullable(Settings, 'Override those of the knowledge base.')),
    filters: Type.Optional(
      nullable(
        Settings,
        'Conditions by field, all of which have to hold: `{"page": {"$gte": 3}, "lang": "en"}`. Fields are `file_id`, ' +
          '`document_id`, `file_name`, `extension`, `media_type`, `created_at`, `page`, and the keys of the `metadata` ' +
          'of documents. Operators are `$eq`, `$ne`, `$gt`, `$gte`, `$lt`, `$lte`, `$in` and `$nin`.',
      ),
    ),
  },
  { additionalProperties: false },
);

const text = nullable(Type.String());

const ContentElement = Type.Object(
  {
    type: Type.Enum(['text', 'image_url', 'image_base64', 'file_url', 'file_base64']),
    text,
    image_url: nullable(Type.Object({ url: Type.String() })),
    image_base64: text,
    file_url: text,
    file_base64: text,
    file_name: text,
  },
  { title: 'ContentElement', description: 'All keys are present; unused ones are null.' },
);

const LegScore = Type.Optional(
  Type.Object({ rank: Type.Integer({ minimum: 1 }), score: Type.Number() }, { title: 'LegScore' }),
);

export const RetrievalResult = Type.Object(
  {
    id: Type.String(),
    content: Type.Array(ContentElement),
    metadata: Type.Object(
      {
        knowledge_base_uuid: Uuid,
        document_id: text,
        file_id: text,
        file_name: text,
        page: nullable(Type.Integer({ minimum: 1 }), 'Null for formats without pages.'),
        page_end: nullable(Type.Integer({ minimum: 1 })),
        heading_path: Type.Array(Type.String()),
        start: nullable(Count, 'Start offset in the text of the document.'),
        end: nullable(Count),
        scores: Type.Object(
          { keyword: LegScore, vector: LegScore, rerank: LegScore },
          { description: 'Rank in each kind of search that found it.' },
        ),
      },
      { additionalProperties: true, description: 'Also metadata of the engine, and the `metadata` of the document.' },
    ),
    distance: Type.Number({ minimum: 0, description: '0 is identical; lower is closer.' }),
    score: nullable(Type.Number(), 'Higher is better; comparable within one response.'),
  },
  { title: 'RetrievalResult' },
);

export const RetrievalResults = Type.Object({ results: Type.Array(RetrievalResult) });

/** A passage in the format of the API. The server sets the source, whatever the metadata of a document contains. */
export function shownPassage(
  baseUuid: string,
  { id, text: found, distance, score, source, legs, metadata }: RetrievedPassage,
): Static<typeof RetrievalResult> {
  const unused = { image_url: null, image_base64: null, file_url: null, file_base64: null, file_name: null };
  return {
    id,
    content: [{ type: 'text', text: found, ...unused }],
    metadata: {
      ...metadata,
      knowledge_base_uuid: baseUuid,
      document_id: source?.document_id ?? null,
      file_id: source?.file_id ?? null,
      file_name: source?.file_name ?? null,
      page: source?.page ?? null,
      page_end: source?.page_end ?? null,
      heading_path: source?.heading_path ?? [],
      start: source?.start ?? null,
      end: source?.end ?? null,
      scores: legs,
    },
    distance,
    score,
  };
}
