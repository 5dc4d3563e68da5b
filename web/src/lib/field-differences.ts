import { jsonDifferences } from './json-differences.ts';
import { secretTexts } from './secret-texts.ts';

/** A field in which two versions of a record differ. */
export interface FieldDifference {
  path: string;
  /** As text; null for a secret, and empty for nothing. */
  mine: string | null;
  theirs: string | null;
}

/** The fields in which two versions differ. */
export function fieldDifferences(mine: unknown, theirs: unknown): FieldDifference[] {
  return jsonDifferences(mine, theirs).map(({ path, before, after }) => {
    const text = (value: unknown) => (hasSecret(before) || hasSecret(after) ? null : textOf(value));
    return { path: path.join('.'), mine: text(before), theirs: text(after) };
  });
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

function hasSecret(value: unknown): boolean {
  if (typeof value === 'string') return secretTexts.has(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasSecret);
}
