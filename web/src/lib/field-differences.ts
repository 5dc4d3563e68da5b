import { secretTexts } from './secret-texts.ts';

/** A field in which two versions of a record differ. */
export interface FieldDifference {
  path: string;
  /** As text; null for a secret, and empty for nothing. */
  mine: string | null;
  theirs: string | null;
}

/** The fields in which two versions differ, by path. Objects are compared key by key, everything else as a whole. */
export function fieldDifferences(mine: unknown, theirs: unknown, path: string[] = []): FieldDifference[] {
  if (isObject(mine) && isObject(theirs)) {
    return [...new Set([...Object.keys(mine), ...Object.keys(theirs)])].flatMap((key) =>
      fieldDifferences(mine[key], theirs[key], [...path, key]),
    );
  }
  if (JSON.stringify(mine) === JSON.stringify(theirs)) return [];
  const isSecret = hasSecret(mine) || hasSecret(theirs);
  const text = (value: unknown) => (isSecret ? null : textOf(value));
  return [{ path: path.join('.'), mine: text(mine), theirs: text(theirs) }];
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

function hasSecret(value: unknown): boolean {
  if (typeof value === 'string') return secretTexts.has(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasSecret);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
