import type { KnowledgePassage } from '@parley/sdk';
import { pagesOf } from './prompt-passages.ts';

const maximumNameCharacters = 200;

/**
 * The sources of an answer, a line for each, independent of language.
 * @param cited in the order of their numbers, which start with 1
 */
export function sourceList(cited: readonly KnowledgePassage[]): string {
  // Two spaces end a line in Markdown and are invisible elsewhere.
  return cited.map((passage, index) => `[${index + 1}] ${placeOf(passage)}`).join('  \n');
}

function placeOf({ source, knowledge_base_name }: KnowledgePassage): string {
  const name = nameOf(source?.file_name ?? '') || nameOf(knowledge_base_name) || '–';
  const pages = pagesOf(source);
  return pages === '' ? name : `${name}, p. ${pages}`;
}

/** A name without characters that would form a Markdown link. */
function nameOf(name: string): string {
  const line = name
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
  return line.slice(0, maximumNameCharacters).replaceAll(/[[\]<>]/g, '_');
}
