import type { components, paths, Tagged } from '@parley/client';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

type Schemas = components['schemas'];
export type KnowledgeBase = Schemas['KnowledgeBase'];
export type KnowledgeEngine = Schemas['KnowledgeEngine'];
export type KnowledgeDocument = Schemas['KnowledgeBaseFile'];
export type DocumentDetail = Schemas['KnowledgeBaseFileDetail'];
export type KnowledgeChunk = Schemas['KnowledgeChunk'];
export type CollectionSummary = Schemas['KnowledgeCollectionSummary'];
export type GoldenQuestion = Schemas['GoldenQuestion'];

/** A golden question as it is stored now, with its tag. */
export async function readTaggedQuestion(base: string, uuid: string) {
  const { data, etag } = await api.getTagged(
    '/api/v1/knowledge/bases/{knowledge_base_uuid}/questions/{question_uuid}',
    { params: { path: { knowledge_base_uuid: base, question_uuid: uuid } } },
  );
  return { data: data.question, etag };
}

export type Evaluation = Schemas['Evaluation'];
export type EvaluationSummary = Schemas['EvaluationSummary'];
export type Figures = Schemas['EvaluationFigures'];

/** Polling interval for items in progress, milliseconds. */
const often = 1500;

type BasesQuery = NonNullable<paths['/api/v1/knowledge/bases']['get']['parameters']['query']>;
/** The filters of the list, as the API takes them. */
export type BaseFilter = Pick<BasesQuery, 'search' | 'used'>;

/** A page of the list. */
export function basesPageQuery(query: BasesQuery) {
  return queryOptions({
    queryKey: ['knowledge', 'page', query],
    queryFn: async () => {
      const { bases: rows, total = rows.length } = await api.get('/api/v1/knowledge/bases', { params: { query } });
      return { rows, total };
    },
    placeholderData: keepPreviousData,
  });
}

export async function readBase(uuid: string): Promise<KnowledgeBase> {
  return (await readTaggedBase(uuid)).data;
}

export async function readTaggedBase(uuid: string): Promise<Tagged<KnowledgeBase>> {
  const path = { knowledge_base_uuid: uuid };
  const { data, etag } = await api.getTagged('/api/v1/knowledge/bases/{knowledge_base_uuid}', { params: { path } });
  return { data: data.base, etag };
}

export function baseQuery(uuid: string) {
  return queryOptions({
    queryKey: ['knowledge', uuid],
    queryFn: () => readBase(uuid),
    refetchInterval: ({ state }) =>
      state.data?.collections.some((collection) => collection.state === 'building') ? often : false,
  });
}

/** Knowledge engines, with the schemas of their settings. */
export const enginesQuery = queryOptions({
  queryKey: ['knowledge-engines'],
  queryFn: async () => (await api.get('/api/v1/knowledge/engines')).engines,
  staleTime: 5 * 60_000,
});

export function collectionsQuery(uuid: string) {
  const path = { knowledge_base_uuid: uuid };
  return queryOptions({
    queryKey: ['knowledge', uuid, 'collections'],
    queryFn: async () =>
      (await api.get('/api/v1/knowledge/bases/{knowledge_base_uuid}/collections', { params: { path } })).collections,
  });
}

export function isUnderWay({ stage }: Pick<KnowledgeDocument, 'stage'>): boolean {
  return stage !== 'ready' && stage !== 'failed' && stage !== 'cancelled';
}

type DocumentsQuery = NonNullable<
  paths['/api/v1/knowledge/bases/{knowledge_base_uuid}/files']['get']['parameters']['query']
>;
/** The filters of the list, as the API takes them. */
export type DocumentFilter = Pick<DocumentsQuery, 'search' | 'state'>;

/** A page of the documents of a base. */
export function documentsPageQuery(uuid: string, query: DocumentsQuery) {
  const path = { knowledge_base_uuid: uuid };
  return queryOptions({
    queryKey: ['knowledge', uuid, 'files', 'page', query],
    queryFn: async () => {
      const route = '/api/v1/knowledge/bases/{knowledge_base_uuid}/files';
      const { files: rows, total = rows.length } = await api.get(route, { params: { path, query } });
      return { rows, total };
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.rows.some(isUnderWay) ? often : false),
  });
}

/** All documents of a base, for selection; newest first. */
export function documentsQuery(uuid: string) {
  const path = { knowledge_base_uuid: uuid };
  return queryOptions({
    queryKey: ['knowledge', uuid, 'files', 'all'],
    queryFn: async () => {
      const { files } = await api.get('/api/v1/knowledge/bases/{knowledge_base_uuid}/files', { params: { path } });
      return files.toReversed();
    },
  });
}

/** How many documents of a base are in a state. */
export function documentCountQuery(uuid: string, state: DocumentsQuery['state']) {
  const path = { knowledge_base_uuid: uuid };
  return queryOptions({
    queryKey: ['knowledge', uuid, 'files', 'count', state],
    queryFn: async () => {
      const query = { ...(state && { state }), limit: 1, offset: 0 };
      const { total = 0 } = await api.get('/api/v1/knowledge/bases/{knowledge_base_uuid}/files', {
        params: { path, query },
      });
      return total;
    },
    refetchInterval: ({ state: { data } }) =>
      state === 'in_progress' && data !== undefined && data > 0 ? often : false,
  });
}

export function documentQuery(uuid: string, file: string) {
  const path = { knowledge_base_uuid: uuid, file_uuid: file };
  return queryOptions({
    queryKey: ['knowledge', uuid, 'files', file],
    queryFn: async () =>
      (await api.get('/api/v1/knowledge/bases/{knowledge_base_uuid}/files/{file_uuid}', { params: { path } })).file,
    refetchInterval: ({ state }) => (state.data !== undefined && isUnderWay(state.data) ? often : false),
  });
}

export function chunksQuery(uuid: string, file: string) {
  const path = { knowledge_base_uuid: uuid, file_uuid: file };
  return infiniteQueryOptions({
    queryKey: ['knowledge', uuid, 'files', file, 'chunks'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      api.get('/api/v1/knowledge/bases/{knowledge_base_uuid}/files/{file_uuid}/chunks', {
        params: { path, query: { limit: 100, ...(pageParam === null ? {} : { cursor: pageParam }) } },
      }),
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
}

export function questionsQuery(uuid: string) {
  const path = { knowledge_base_uuid: uuid };
  return queryOptions({
    queryKey: ['knowledge', uuid, 'questions'],
    queryFn: async () =>
      (await api.get('/api/v1/knowledge/bases/{knowledge_base_uuid}/questions', { params: { path } })).questions,
  });
}

/** The evaluations, newest first. */
export function evaluationsQuery(uuid: string) {
  const path = { knowledge_base_uuid: uuid };
  return queryOptions({
    queryKey: ['knowledge', uuid, 'evaluations'],
    queryFn: async () =>
      (await api.get('/api/v1/knowledge/bases/{knowledge_base_uuid}/evaluations', { params: { path } })).evaluations,
    refetchInterval: ({ state: { data = [] } }) => (data.some(({ state }) => state === 'running') ? often : false),
  });
}

export function evaluationQuery(uuid: string, run: string) {
  const path = { knowledge_base_uuid: uuid, evaluation_uuid: run };
  return queryOptions({
    queryKey: ['knowledge', uuid, 'evaluations', run],
    queryFn: async () =>
      (
        await api.get('/api/v1/knowledge/bases/{knowledge_base_uuid}/evaluations/{evaluation_uuid}', {
          params: { path },
        })
      ).evaluation,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? often : false),
  });
}

/** The task of a running evaluation, with its progress. Null if it has ended. */
export function evaluationTaskQuery(uuid: string, run: string) {
  return queryOptions({
    queryKey: ['knowledge', uuid, 'evaluations', run, 'task'],
    refetchInterval: often,
    queryFn: async () => {
      const query = { kind: 'knowledge-operation' };
      const { tasks } = await api.get('/api/v1/system/tasks', { params: { query } });
      const task = tasks.find(({ task_context }) => task_context.metadata.evaluation_uuid === run);
      if (task === undefined || task.runtime.done) return null;
      const { done, total } = task.task_context.metadata;
      return { id: task.id, done: Number(done ?? 0), total: Number(total ?? 0) };
    },
  });
}

/** Whether documents can be attached; engines of external services only search. */
export function takesDocuments({ knowledge_engine }: KnowledgeBase): boolean {
  return knowledge_engine.capabilities.includes('doc_ingestion');
}
