import type { components } from '@parley/client';
import { defaultsOf, type FormField, type FormValue } from '../../components/forms/form-field.ts';

type KnowledgeEngine = components['schemas']['KnowledgeEngine'];

/** Settings that compare search by words with semantic search. */
const semantic: readonly string[] = ['search_type', 'vector_weight'];

/**
 * The retrieval settings of an engine that have an effect: without an embedding model, there is only search by words.
 * @param creation creation settings of the knowledge base
 */
export function usedRetrievalFields(engine: KnowledgeEngine, creation: FormValue): readonly FormField[] {
  const fields = engine.retrieval_schema.schema;
  const settings = engine.creation_schema.schema;
  const model = settings.find(({ type }) => type === 'embedding-model-selector');
  const isSemantic = model === undefined || Boolean({ ...defaultsOf(settings), ...creation }[model.name]);
  return isSemantic ? fields : fields.filter(({ name }) => !semantic.includes(name));
}
