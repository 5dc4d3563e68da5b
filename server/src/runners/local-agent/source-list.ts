import type { KnowledgePassage } from '@parley/sdk';
import { pagesOf } from './prompt-passages.ts';

const maximumNameCharacters = 200;

/**
 * Where the passages are from that an answer cites, a line for each, in words of no language.
 * @param cited in the order of their numbers, which begin with 1
 */
export function sourceList(cited: readonly KnowledgePassage[]): string {
  // Two spaces end a line in Markdown, and nobody sees them anywhere else.
  return cited.map((passage, index) => `[${index + 1}] ${placeOf(passage)}`).join('  \n');
}

function placeOf({ source, knowledge_base_name }: KnowledgePassage): string {
  const name = nameOf(source?.file_name ?? '') || nameOf(knowledge_base_name) || '–';
  const pages = pagesOf(source);
  return pages === '' ? name : `${name}, p. ${pages}`;
}

/** A name says nothing that Markdown would take for a link. */
function nameOf(name: string): string {
  const line = name
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
  return line.slice(0, maximumNameCharacters).replaceAll(/[[\]<>]/g, '_');
}
