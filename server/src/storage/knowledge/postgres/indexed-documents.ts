import type { IndexedDocument } from '@parley/sdk';
import { storableText } from '../../../lib/storable-text.ts';

/** JSON of a document that PostgreSQL takes, so that statements can look into it. */
export function documentJson(document: IndexedDocument): string {
  return JSON.stringify(storable(document));
}

function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storableText(key), storable(inner)]));
}
