import type { MarkdownIt, StateBlock } from 'markdown-it';
import { wideCharacter } from './aligned-table.ts';

/** Quotations and lists that are nested deeper are not parsed. */
export const deepestNesting = 40;

/**
 * Loads a reader of Markdown that models write, also while it is incomplete. A service without bots that format texts
 * does not need it.
 * @param schemes of addresses that the platform can open, such as `https`; other links stay as they were written
 */
export async function loadMarkdownReader(schemes: readonly string[]): Promise<MarkdownIt> {
  const { default: create } = await import('markdown-it');
  const markdown = create({ linkify: true, maxNesting: deepestNesting });
  // Only addresses with a scheme, so that marks in them are not emphasis; platforms link them by themselves.
  markdown.core.ruler.disable('linkify');
  // Definitions of links would be invisible, and an underline must not turn streamed text into a heading.
  markdown.disable(['reference', 'lheading']);
  markdown.normalizeLinkText = (address) => address;
  const known = new Set(schemes);
  markdown.validateLink = (address) => {
    const [, scheme = '', slashes = ''] = /^([a-z]+):(\/\/)?\S/i.exec(address) ?? [];
    return known.has(scheme.toLowerCase()) && (slashes !== '' || scheme.toLowerCase() === 'mailto');
  };
  markdown.block.ruler.before('fence', 'thoughts', readThoughts, { alt: ['paragraph'] });
  markdown.inline.State = class extends markdown.inline.State {
    /** CommonMark looks for spaces around emphasis with punctuation inside: `**词：**词` would be none. */
    override scanDelims(start: number, canSplitWord: boolean) {
      const found = super.scanDelims(start, canSplitWord);
      const end = start + found.length;
      const before = [...this.src.slice(Math.max(0, start - 2), start)].at(-1) ?? ' ';
      const after = [...this.src.slice(end, end + 2)][0] ?? ' ';
      if (canSplitWord && (before + after).search(wideCharacter) >= 0) {
        found.can_open ||= after.trim() !== '';
        found.can_close ||= before.trim() !== '';
      }
      return found;
    }
  };
  return markdown;
}

/** Parses a model's thoughts, which are between tags on separate lines. */
function readThoughts(state: StateBlock, first: number, end: number, silent: boolean): boolean {
  const isTag = (line: number, tag: string) => state.getLines(line, line + 1, 0, false).trim() === tag;
  if (state.level > 0 || !isTag(first, '<think>')) return false;
  if (silent) return true;
  let last = first + 1;
  while (last < end && !isTag(last, '</think>')) last += 1;
  state.push('thoughts_open', '', 1).map = [first, last];
  const { lineMax } = state;
  state.lineMax = last;
  state.md.block.tokenize(state, first + 1, last);
  state.lineMax = lineMax;
  state.push('thoughts_close', '', -1);
  state.line = Math.min(last + 1, end);
  return true;
}
