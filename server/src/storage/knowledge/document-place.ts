import { type RawBuilder, sql } from 'kysely';
import type { DocumentStage } from '../../core/knowledge/document.ts';

/** Where a document is on its way: steps in their order, with as many places in each as pages or chunks can be. */
const steps: readonly DocumentStage[] = ['parsing', 'chunking', 'embedding'];
const placesOfStep = 500_000_000;

/** A place as a number that is higher the further it is; 0 before the first step. */
export function placeOf(stage: DocumentStage, done: number): number {
  return (steps.indexOf(stage) + 1) * placesOfStep + Math.min(done, placesOfStep - 1);
}

/** The place of a row of `knowledge_documents`. */
export const placeOfRow: RawBuilder<number> = sql<number>`
  (case stage when 'parsing' then 1 when 'chunking' then 2 when 'embedding' then 3 else 0 end)
  * cast(${sql.lit(placesOfStep)} as integer)
  + (case when done < ${sql.lit(placesOfStep)} then done else ${sql.lit(placesOfStep - 1)} end)`;
