import { createHash } from 'node:crypto';
import type { RetrievedPassage } from '@parley/sdk';
import { isRecord, textAt } from '../../kit/services/values.ts';
import { isDeeperThan } from '../../lib/nesting.ts';
import { storableText } from '../../lib/storable-text.ts';

/** Maximum length of a passage, of its title, and of its metadata, characters. */
const longestText = 50_000;
const longestTitle = 500;
const longestMetadata = 20_000;
const deepestMetadata = 10;

/**
 * Passages from records, best first. Records without text and duplicates are skipped.
 * @param records of any shape
 */
export function passagesIn(records: readonly unknown[], topK: number, threshold: number): RetrievedPassage[] {
  const passages = new Map<string, RetrievedPassage>();
  for (const record of records) {
    const passage = passageIn(record);
    if (passage === null || (passage.score ?? 0) < threshold || passages.has(passage.id)) continue;
    passages.set(passage.id, passage);
  }
  const score = (passage: RetrievedPassage) => passage.score ?? Number.NEGATIVE_INFINITY;
  // Those without a score stay in the order of the service, behind the others.
  return [...passages.values()]
    .sort((left, right) => (score(left) === score(right) ? 0 : score(right) - score(left)))
    .slice(0, topK);
}

function passageIn(record: unknown): RetrievedPassage | null {
  const text = storableText(cut(textAt(record, 'content').trim(), longestText));
  if (!isRecord(record) || text === '') return null;
  const title = storableText(cut(textAt(record, 'title').trim(), longestTitle));
  const score = typeof record.score === 'number' && Number.isFinite(record.score) ? record.score : null;
  return {
    id: createHash('sha256')
      .update(JSON.stringify([title, text]))
      .digest('hex')
      .slice(0, 32),
    text,
    distance: score === null ? 1 : Math.max(0, 1 - score),
    score,
    // Services of this kind do not tell where in a document a passage stands.
    source: null,
    legs: {},
    metadata: { ...metadataIn(record), ...(title === '' ? {} : { title }) },
  };
}

function metadataIn({ metadata }: Record<string, unknown>): Record<string, unknown> {
  if (!isRecord(metadata) || isDeeperThan(metadata, deepestMetadata)) return {};
  return JSON.stringify(metadata).length <= longestMetadata ? metadata : {};
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}
