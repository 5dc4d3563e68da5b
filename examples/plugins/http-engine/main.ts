import { type DocumentBlock, definePlugin, type RetrievedPassage } from '@parley/sdk/plugin';
import type manifest from './manifest.ts';
import { callService, passagesIn } from './service.ts';

export default definePlugin<typeof manifest>({
  engine: {
    open: async ({ collection_id }, { host, signal }) => {
      await callService(host, 'PUT', collectionPath(collection_id), { signal });
    },
    drop: async ({ collection_id }, { host, signal }) => {
      await callService(host, 'DELETE', collectionPath(collection_id), { signal });
    },
    ingest: async ({ collection, document, parsed }, { host, signal }) => {
      const texts = (parsed?.blocks ?? []).map(textOfBlock).filter((text) => text !== '');
      const body = { title: document.title ?? document.file_name, texts };
      await callService(host, 'PUT', documentPath(collection.collection_id, document.document_id), { body, signal });
      return { chunks: texts.length };
    },
    remove: async ({ collection_id }, documentId, { host, signal }) => {
      await callService(host, 'DELETE', documentPath(collection_id, documentId), { signal });
    },
    retrieve: async ({ collection, query, settings }, { host, signal }) => {
      const body = { query, limit: settings.top_k };
      const path = `${collectionPath(collection.collection_id)}/search`;
      const found = passagesIn(await callService(host, 'POST', path, { body, signal }));
      return found.map(
        ({ id, document, text, score }): RetrievedPassage => ({
          id,
          text,
          score,
          distance: 1 / (1 + Math.max(0, score)),
          source: null,
          legs: {},
          metadata: { document },
        }),
      );
    },
  },
});

function textOfBlock(block: DocumentBlock): string {
  return block.type === 'table' ? block.rows.map((row) => row.join(' | ')).join('\n') : block.text;
}

function collectionPath(id: string): string {
  return `/collections/${encodeURIComponent(id)}`;
}

function documentPath(collection: string, id: string): string {
  return `${collectionPath(collection)}/documents/${encodeURIComponent(id)}`;
}
