import type { MarkdownIt, StateBlock } from 'markdown-it';
import { wideCharacter } from './aligned-table.ts';

/** Quotations and lists that are nested deeper are not parsed. */
export const deepestNesting = 40;

/** Loads markdown-it, which a service without Telegram bots does not need. */
export async function loadReader(): Promise<MarkdownIt> {
  const { default: create } = await import('markdown-it');
  const markdown = create({ linkify: true, maxNesting: deepestNesting });
  // Only addresses with a scheme, so that marks in them are not emphasis; Telegram itself links them.
  markdown.core.ruler.disable('linkify');
  // Definitions of links would be invisible, and an underline must not turn streamed text into a heading.
  markdown.disable(['reference', 'lheading']);
  markdown.normalizeLinkText = (address) => address;
  // A link that Telegram could not open stays as it was written.
  markdown.validateLink = (address) => /^(https?:\/\/|tg:\/\/|mailto:)[^\s]/i.test(address);
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
