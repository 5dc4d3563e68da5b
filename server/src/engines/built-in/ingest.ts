import { documentText, type IndexedDocument, type IngestRequest, ParleyError } from '@parley/sdk';
import type { Chunk, InternalEngineContext, NewChunk } from '@parley/sdk/internal';
import { chunkDocument } from './chunk-document.ts';
import type { CreationSettings } from './settings.ts';

/** Chunks that are turned into vectors and stored together. */
const batchSize = 256;
/** Longest that other work waits while a document is cut, milliseconds. */
const longestHold = 10;

/** Stores a document: it is cut, turned into vectors where there is a model, and shown once all of it is there. */
export async function ingest(
  request: IngestRequest,
  settings: CreationSettings,
  context: InternalEngineContext,
): Promise<{ chunks: number }> {
  const { collection, document, signal } = request;
  const { collection_id } = collection;
  signal.throwIfAborted();
  const chunks = await cut(request, settings);
  if (chunks.length === 0) throw new ParleyError('document_empty', 'No text was found in the file');
  const edition = await context.chunks.begin(collection_id, document);
  try {
    await store(chunks, edition, request, settings, context);
    signal.throwIfAborted();
    await context.chunks.publish(collection_id, edition);
  } catch (error) {
    await context.chunks.abandon(collection_id, edition).catch((fault: unknown) => {
      // The store removes unpublished editions when it starts.
      context.logger.error({ err: fault, collection_id }, 'failed to remove chunks of a document');
    });
    signal.throwIfAborted();
    throw error;
  }
  return { chunks: chunks.length };
}

async function cut({ parsed, progress, signal }: IngestRequest, settings: CreationSettings): Promise<Chunk[]> {
  const { chunk_size: size, chunk_overlap: overlap } = settings;
  const blocks = parsed?.blocks ?? [];
  const expected = Math.ceil(documentText(blocks).length / Math.max(1, size - overlap));
  const chunks: Chunk[] = [];
  let since = performance.now();
  for (const chunk of chunkDocument(blocks, { size, overlap })) {
    chunks.push(chunk);
    if (performance.now() - since < longestHold) continue;
    progress('chunking', chunks.length, Math.max(chunks.length, expected));
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    since = performance.now();
  }
  return chunks;
}

async function store(
  chunks: readonly Chunk[],
  edition: string,
  { collection, document, progress, signal }: IngestRequest,
  { embedding_model_uuid }: CreationSettings,
  context: InternalEngineContext,
): Promise<void> {
  const { collection_id, knowledge_base_uuid } = collection;
  const stage = embedding_model_uuid === '' ? 'chunking' : 'embedding';
  for (let from = 0; from < chunks.length; from += batchSize) {
    progress(stage, from, chunks.length);
    signal.throwIfAborted();
    const batch = chunks.slice(from, from + batchSize);
    const vectors =
      embedding_model_uuid === ''
        ? []
        : await context.embed(
            embedding_model_uuid,
            batch.map((chunk) => embeddedText(chunk, document)),
            { knowledge_base_uuid, purpose: 'document', signal },
          );
    signal.throwIfAborted();
    const stored: NewChunk[] = batch.map((chunk, place) => ({ ...chunk, vector: vectors[place] ?? null }));
    await context.chunks.add(collection_id, edition, stored);
  }
  progress(stage, chunks.length, chunks.length);
}

/** Headings are embedded with the chunk. */
function embeddedText({ heading_path, text }: Chunk, { title }: IndexedDocument): string {
  const above = [...new Set([title ?? '', ...heading_path])].filter((heading) => heading !== '');
  return above.length === 0 ? text : `${above.join(' > ')}\n\n${text}`;
}
