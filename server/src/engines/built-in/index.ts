import { type Collection, invalidFields } from '@parley/sdk';
import type { InternalKnowledgeEngine } from '@parley/sdk/internal';
import { ingest } from './ingest.ts';
import { retrieve } from './retrieve.ts';
import { CreationSettings, RetrievalSettings } from './settings.ts';

/** Stores chunks in the service's own index, and finds them by keywords, vectors or both. */
export const builtIn: InternalKnowledgeEngine = {
  plugin_id: 'parley/built-in',
  name: { en_US: 'Parley', zh_Hans: 'Parley 内置', ja_JP: 'Parley' },
  description: {
    en_US:
      'Finds passages by their words, and by their meaning where there is an embedding model. Needs no other service.',
    zh_Hans: '按关键词检索段落，配置嵌入模型后同时按语义检索。无需其他服务。',
    ja_JP: '箇所をキーワードで検索し、埋め込みモデルがあれば意味でも検索します。ほかのサービスは不要です。',
  },
  capabilities: ['doc_ingestion'],
  creationSchema: CreationSettings,
  retrievalSchema: RetrievalSettings,

  async open(collection, { chunks }) {
    const { chunk_size, chunk_overlap, language } = settingsOf(collection);
    if (chunk_overlap > chunk_size / 2) {
      const message = 'must be at most half of chunk_size';
      throw invalidFields([{ path: 'chunk_overlap', message, rule: 'maximum', limit: Math.floor(chunk_size / 2) }]);
    }
    await chunks.create(collection.collection_id, { language });
  },

  drop: ({ collection_id }, { chunks }) => chunks.drop(collection_id),
  ingest: (request, context) => ingest(request, settingsOf(request.collection), context),
  remove: ({ collection_id }, documentId, { chunks }) => chunks.remove(collection_id, documentId),
  retrieve: (request, context) => retrieve(request, settingsOf(request.collection), context),
};

function settingsOf({ settings }: Collection): CreationSettings {
  return settings as CreationSettings;
}
