import Type from 'typebox';
import { Count, nullable, Timestamp, Uuid } from '../../../lib/schema-parts.ts';

const longestText = 100_000;
const PageNumber = Type.Integer({ minimum: 1, maximum: 1_000_000 });

export const PassageQuery = Type.Object(
  {
    chunk_id: Type.String({ maxLength: 255 }),
    document_id: Type.String({ maxLength: 255 }),
    file_name: Type.String({ maxLength: 1000 }),
    text: Type.String({ maxLength: longestText, description: 'The passage, as it was found.' }),
    start: Type.Integer({ minimum: 0, description: 'Start offset in the text of the document.' }),
    end: Count,
  },
  { additionalProperties: false },
);

export const PassageContext = Type.Object(
  {
    state: Type.Enum(['current', 'reindexed', 'replaced', 'deleted', 'external'], {
      description:
        '`current`: the document contains the passage. `reindexed`: it has another text there now. `replaced`: the ' +
        'document was deleted, and `document` is the newest with its name. `deleted`: the document is gone. ' +
        '`external`: the documents of the knowledge base are elsewhere.',
    }),
    document: nullable(
      Type.Object({
        uuid: Uuid,
        file_name: Type.String(),
        created_at: Timestamp,
        shows_pages: Type.Boolean({ description: 'Whether images of its pages are available.' }),
      }),
    ),
    before: Type.String({ description: 'The text before a `current` passage; starts with `…` unless it is all.' }),
    after: Type.String(),
  },
  { title: 'PassageContext' },
);

export const PageTextQuestion = Type.Object(
  {
    text: Type.String({ maxLength: longestText }),
    quotes: Type.Array(Type.Object({ start: Count, end: Count }, { additionalProperties: false }), {
      maxItems: 200,
      description: 'Parts of the text that are located separately, in UTF-16 code units.',
    }),
    from: PageNumber,
    to: PageNumber,
  },
  { additionalProperties: false },
);

const part = Type.Number({ minimum: 0, maximum: 1 });
const Areas = Type.Array(
  Type.Object(
    { x: part, y: part, width: part, height: part },
    { title: 'PageArea', description: 'In parts of the width and height of the page, from its left and upper edge.' },
  ),
);

export const PageTextPlaces = Type.Object({
  pages: Type.Array(
    Type.Object(
      {
        page: PageNumber,
        text: Areas,
        quotes: Areas,
      },
      { title: 'PageTextAreas' },
    ),
    { description: 'The pages that contain any of the text, in order.' },
  ),
});

export const PageImageParams = Type.Object({ knowledge_base_uuid: Uuid, file_uuid: Uuid, page: PageNumber });

export const PageImage = {
  description: 'The page as PNG.',
  content: { 'image/png': { schema: Type.Unsafe<never>({ type: 'string', format: 'binary' }) } },
};
