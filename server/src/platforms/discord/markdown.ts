import type { MarkdownIt, Token } from 'markdown-it';
import { alignedTable } from '../../kit/markdown/aligned-table.ts';
import { longestContent } from './cut-text.ts';

/** Turns Markdown of models into that of Discord. A text that it returned stays the same. */
export type Format = (markdown: string) => string;

/** A longer text is sent as it is written. */
const longestMarkdown = 100_000;
/** Shown for a horizontal rule. */
const rule = '──────────';

/** Lines of a text, and what takes their place. */
interface Change {
  first: number;
  end: number;
  lines: readonly string[];
}

/**
 * Discord shows most of Markdown by itself. What it lacks is replaced: tables are aligned in a code block, headings of
 * lower levels become those of the third, images become links, thoughts (`<think>`) become quotations.
 */
export function createFormat(reader: MarkdownIt): Format {
  return (markdown) => {
    if (markdown.length > longestMarkdown) return markdown;
    const lines = markdown.split(/\r\n?|\n/);
    const tokens = reader.parse(markdown, {});
    const changes = tokens.flatMap((token, index) => changeOf(token, tokens.slice(index, index + 2), lines) ?? []);
    for (const [index, token] of tokens.entries()) {
      if (token.type === 'table_open' && token.level === 0) changes.push(tableChange(tokens.slice(index), lines));
    }
    for (const { first, end, lines: next } of changes.sort((left, right) => right.first - left.first)) {
      lines.splice(first, end - first, ...next);
    }
    return lines.join('\n');
  };
}

/** @param following the token and the one after it */
function changeOf(token: Token, [, next]: readonly Token[], lines: readonly string[]): Change | null {
  const { map, level, type, tag } = token;
  if (map === null) return null;
  const [first, end] = map;
  const own = lines.slice(first, end);
  if (level === 0 && type === 'hr') return { first, end, lines: [rule] };
  if (level === 0 && type === 'heading_open' && /^h[4-6]$/.test(tag)) {
    return {
      first,
      end,
      lines: own.map((line) => withoutImages(line.replace(/^( {0,3})#{4,6}(?=\s)/, '$1###'), next)),
    };
  }
  if (level === 0 && type === 'thoughts_open') {
    const isClosed = lines[end]?.trim() === '</think>';
    return { first, end: isClosed ? end + 1 : end, lines: own.slice(1).map((line) => `> ${line}`) };
  }
  if (level === 0 && type === 'paragraph_open' && hasImages(next)) {
    return { first, end, lines: own.map((line) => withoutImages(line, next)) };
  }
  return null;
}

/** Code in the same paragraph might only look like an image, so that it stays as it was written. */
function hasImages(inline: Token | undefined): boolean {
  const types = (inline?.children ?? []).map(({ type }) => type);
  return types.includes('image') && !types.includes('code_inline');
}

function withoutImages(line: string, inline: Token | undefined): string {
  if (!hasImages(inline)) return line;
  return line.replace(/!\[([^\]]*)\]\((\S+?)\)/g, (_, name: string, address: string) =>
    name.trim() === '' ? address : `[${name}](${address})`,
  );
}

/** @param tokens from the start of the table on */
function tableChange(tokens: readonly Token[], lines: readonly string[]): Change {
  const table = tokens.slice(
    0,
    tokens.findIndex(({ type }) => type === 'table_close'),
  );
  const [first, end] = table[0]?.map ?? [0, 0];
  const rows: string[][] = [];
  for (const { type, children } of table) {
    if (type === 'tr_open') rows.push([]);
    if (type === 'inline') rows.at(-1)?.push(plainText(children ?? []));
  }
  const columns = rows[0]?.length ?? 0;
  const own = lines.slice(first, end);
  // The reader leaves out cells that the head does not have.
  const isWhole = own.every((line) => cellsIn(line) <= columns);
  const text = isWhole ? alignedTable(rows, longestContent - fences.length) : own.join('\n');
  return { first, end, lines: ['```', ...text.replaceAll('```', '`\u200b``').split('\n'), '```'] };
}

const fences = '```\n\n```';

function cellsIn(line: string): number {
  return line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/).length;
}

/** Text without marks, which a code block would show. */
function plainText(tokens: readonly Token[]): string {
  return tokens
    .map(({ type, content, children }) => {
      if (type === 'image') return plainText(children ?? []);
      return type === 'softbreak' || type === 'hardbreak' ? ' ' : content;
    })
    .join('');
}
