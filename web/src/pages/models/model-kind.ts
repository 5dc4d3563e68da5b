/** The kinds of models, as in the paths of their routes. */
export const modelKinds = ['llm', 'embedding', 'rerank'] as const;
export type ModelKind = (typeof modelKinds)[number];

export function isModelKind(word: unknown): word is ModelKind {
  return modelKinds.some((kind) => kind === word);
}

/** The names of a kind in `support_type` and `kinds`. */
export function offeredKind(kind: ModelKind): 'llm' | 'text-embedding' | 'rerank' {
  return kind === 'embedding' ? 'text-embedding' : kind;
}
