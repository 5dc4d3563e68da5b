import type { KnowledgePassage } from '@parley/sdk';
import { pagesOf } from './prompt-passages.ts';

const maximumNameCharacters = 200;

/**
 * The sources of an answer, a line for each, independent of language.
 * @param cited in the order of their numbers, which start with 1
 * @param linkOf the link that shows the passage of a number; null for none
 */
export function sourceList(
  cited: readonly KnowledgePassage[],
  linkOf: (number: number) => string | null = () => null,
): string {
  // Two spaces end a line in Markdown and are invisible elsewhere.
  return cited
    .map((passage, index) => {
      const link = linkOf(index + 1);
      return `[${index + 1}] ${placeOf(passage)}${link === null ? '' : ` ${link}`}`;
    })
    .join('  \n');
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
