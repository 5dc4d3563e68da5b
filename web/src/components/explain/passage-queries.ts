import { ParleyApiError } from '@parley/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { fetchFile } from '../../lib/fetch-file.ts';
import { type Passage, quoteRanges } from './passage.ts';

/** How long data about a passage counts as new, milliseconds: its document may be deleted meanwhile. */
const staleTime = 30_000;

/** The text around a passage; null when the knowledge base was deleted. */
export function contextQuery({ key, base, chunk, text, source }: Passage) {
  return queryOptions({
    queryKey: ['passage-context', key, text],
    staleTime,
    queryFn: async ({ signal }) => {
      try {
        return await api.post('/api/v1/knowledge/bases/{knowledge_base_uuid}/passage-context', {
          params: { path: { knowledge_base_uuid: base } },
          body: {
            chunk_id: chunk,
            document_id: source?.document_id ?? '',
            file_name: source?.file_name ?? '',
            text,
            start: source?.start ?? 0,
            end: source?.end ?? 0,
          },
          signal,
        });
      } catch (error) {
        if (error instanceof ParleyApiError && error.status === 404) return null;
        throw error;
      }
    },
  });
}

/** The pages that contain a passage, with the places of its words. */
export function pagesQuery(passage: Passage, document: string) {
  const { base, text, quotes, source } = passage;
  const from = source?.page ?? 1;
  return queryOptions({
    queryKey: ['passage-pages', passage.key, document, text, quotes],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const { pages } = await api.post('/api/v1/knowledge/bases/{knowledge_base_uuid}/files/{file_uuid}/pages/locate', {
        params: { path: { knowledge_base_uuid: base, file_uuid: document } },
        body: { text, quotes: quoteRanges(text, quotes), from, to: Math.min(source?.page_end ?? from, from + 19) },
        signal,
      });
      return pages;
    },
  });
}

/** An image of a page. */
export function pageImageQuery(base: string, document: string, page: number) {
  return queryOptions({
    queryKey: ['page-image', base, document, page],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => fetchFile(`/api/v1/knowledge/bases/${base}/files/${document}/pages/${page}/image`),
  });
}
