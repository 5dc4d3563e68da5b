/** A knowledge engine: keeps paragraphs in memory, and finds those that share words with the question. */
import {
  betweenBlocks,
  blockText,
  type Collection,
  type IndexedDocument,
  type KnowledgeEngine,
  ParleyError,
  type RetrievedPassage,
} from '@parley/sdk';
import Type from 'typebox';

type Passage = Pick<RetrievedPassage, 'id' | 'text'> & { start: number; page: number | null };
type Stored = { document: IndexedDocument; passages: Passage[] };

const collections = new Map<string, Map<string, Stored>>();
const documentsIn = ({ collection_id }: Collection) => collections.get(collection_id) ?? new Map<string, Stored>();
const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));

export const paragraphEngine: KnowledgeEngine = {
  plugin_id: 'example/paragraphs',
  name: { en_US: 'Paragraphs', zh_Hans: '段落', ja_JP: '段落' },
  description: {
    en_US: 'Finds whole paragraphs by their words.',
    zh_Hans: '按词语检索整个段落。',
    ja_JP: '段落全体を語句で検索します。',
  },
  capabilities: ['doc_ingestion'],
  creationSchema: Type.Object({}, { additionalProperties: false }),
  retrievalSchema: Type.Object(
    {
      top_k: Type.Integer({
        default: 5,
        minimum: 1,
        maximum: 50,
        'x-label': { en_US: 'Passages', zh_Hans: '返回数量', ja_JP: '箇所の数' },
        'x-help': {
          en_US: 'Maximum number of passages.',
          zh_Hans: '最多返回的段落数。',
          ja_JP: '検索結果に含める箇所の最大数です。',
        },
      }),
    },
    { additionalProperties: false },
  ),

  async open(collection) {
    collections.set(collection.collection_id, documentsIn(collection));
  },

  async drop({ collection_id }) {
    collections.delete(collection_id);
  },

  async ingest({ collection, document, parsed, progress, signal }) {
    const passages: Passage[] = [];
    const blocks = parsed?.blocks ?? [];
    let start = 0;
    for (const [place, block] of blocks.entries()) {
      progress('chunking', place, blocks.length);
      signal.throwIfAborted();
      const text = blockText(block);
      if (text === '') continue;
      passages.push({ id: `${document.document_id}/${place}`, text, start, page: block.page ?? null });
      start += text.length + betweenBlocks.length;
    }
    signal.throwIfAborted();
    if (passages.length === 0) throw new ParleyError('document_empty', 'No text was found in the file');
    // Atomically replaces the previous version.
    documentsIn(collection).set(document.document_id, { document, passages });
    return { chunks: passages.length };
  },

  async remove(collection, documentId) {
    documentsIn(collection).delete(documentId);
  },

  async retrieve({ collection, query, settings, filters, signal }) {
    signal.throwIfAborted();
    const wanted = wordsOf(query);
    const found = [...documentsIn(collection).values()].flatMap(({ document, passages }) => {
      if (!filters.every((filter) => holds(filter, document))) return [];
      return passages.flatMap((passage): RetrievedPassage[] => {
        const score = wordsOf(passage.text).intersection(wanted).size / Math.max(1, wanted.size);
        return score === 0 ? [] : [passageOf(passage, document, score)];
      });
    });
    return found.sort((left, right) => left.distance - right.distance).slice(0, settings.top_k);
  },
};

function holds({ field, operator, value }: { field: string; operator: string; value: unknown }, document: object) {
  // A filter that is passed over would find what was not meant.
  if (operator !== '$eq') throw new ParleyError('invalid_request', `filters: ${operator} is not known here`);
  return (document as Record<string, unknown>)[field] === value;
}

function passageOf({ id, text, start, page }: Passage, document: IndexedDocument, score: number): RetrievedPassage {
  const { document_id, file_id, file_name } = document;
  const place = { page, page_end: page, heading_path: [], start, end: start + text.length };
  return {
    id,
    text,
    score,
    distance: 1 - score,
    source: { document_id, file_id, file_name, ...place },
    legs: {},
    metadata: {},
  };
}
