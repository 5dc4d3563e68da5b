import { useQueries } from '@tanstack/react-query';
import { type ModelKind, modelKinds } from './model-kind.ts';
import { type Model, modelsQuery } from './model-queries.ts';

/** The models of all kinds; null until all are loaded. */
export function useAllModels(): { kind: ModelKind; model: Model }[] | null {
  return useQueries({
    queries: modelKinds.map(modelsQuery),
    combine: (results) =>
      results.some(({ data }) => data === undefined)
        ? null
        : results.flatMap(({ data = [] }, index) =>
            data.map((model) => ({ kind: modelKinds[index] as ModelKind, model })),
          ),
  });
}
