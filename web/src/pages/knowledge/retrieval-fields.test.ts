import type { components } from '@parley/client';
import { expect, it } from 'vitest';
import { usedRetrievalFields } from './retrieval-fields.ts';

type Engine = components['schemas']['KnowledgeEngine'];

const field = (name: string, type: string) => ({ name, type, required: false, label: { en_US: name } });
const engineOf = (creation: object[]) =>
  ({
    creation_schema: { schema: creation },
    retrieval_schema: { schema: ['top_k', 'search_type', 'vector_weight'].map((name) => field(name, 'integer')) },
  }) as Engine;
const names = (engine: Engine, creation: Record<string, unknown>) =>
  usedRetrievalFields(engine, creation).map(({ name }) => name);

it('settings of semantic search are shown when there is an embedding model', () => {
  const engine = engineOf([{ ...field('embedding_model_uuid', 'embedding-model-selector'), default: '' }]);
  expect(names(engine, {})).toEqual(['top_k']);
  expect(names(engine, { embedding_model_uuid: '' })).toEqual(['top_k']);
  expect(names(engine, { embedding_model_uuid: 'a' })).toEqual(['top_k', 'search_type', 'vector_weight']);
});

it('an engine that has no such setting shows all of its own', () => {
  expect(names(engineOf([]), {})).toEqual(['top_k', 'search_type', 'vector_weight']);
});
