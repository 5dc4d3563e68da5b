import { numberFormat } from '../../lib/formats.ts';
import type { Figures } from './knowledge-queries.ts';

/** The metrics of an evaluation, in display order. */
export const figureNames = ['hit_at_1', 'hit_at_5', 'hit_at_10', 'ndcg_at_10', 'mrr', 'citation_precision'] as const;
export type FigureName = (typeof figureNames)[number];

/** Those that one of the evaluations has. */
export function figuresThere(...runs: (Figures | null)[]): FigureName[] {
  return figureNames.filter((name) => runs.some((figures) => (figures?.[name] ?? null) !== null));
}

/** 0.918 as "0.918": three decimals, because differences are small. */
export function figureText(value: number | null | undefined, language: string): string {
  if (value === null || value === undefined) return '–';
  return numberFormat(language, { minimumFractionDigits: 3, maximumFractionDigits: 3 }).format(value);
}

/** A difference with its sign; empty if it rounds to zero. */
export function differenceText(
  before: number | null | undefined,
  after: number | null | undefined,
  language: string,
): string {
  if (typeof before !== 'number' || typeof after !== 'number' || Math.abs(after - before) < 0.0005) return '';
  return numberFormat(language, {
    minimumFractionDigits: 3,
    maximumFractionDigits: 3,
    signDisplay: 'always',
  }).format(after - before);
}
