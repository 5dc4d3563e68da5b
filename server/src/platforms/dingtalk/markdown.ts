import { loadMarkdownReader } from '../../kit/markdown/markdown-reader.ts';

type Reader = Awaited<ReturnType<typeof loadMarkdownReader>>;
type Token = ReturnType<Reader['parse']>[number];

/** A line of a table's head with the rule below it, in a text that may have one. */
const tableRule = /\|[^\n]*\n[ \t>]*[|:-][ \t|:-]*-[ \t|:-]*(\n|$)|\n[ \t>]*\|?[ \t]*:?-+:?[ \t]*\|/;

let reader: Promise<Reader> | undefined;

/**
 * Markdown of models in the platform's dialect, which has no tables: each row becomes an item of a list.
 * @see https://open.dingtalk.com/document/orgapp/message-types-and-data-format (Markdown)
 */
export async function withoutTables(markdown: string): Promise<string> {
  if (!tableRule.test(markdown)) return markdown;
  reader ??= loadMarkdownReader(['http', 'https']);
  const tokens = (await reader).parse(markdown, {});
  const lines = markdown.split('\n');
  for (const [index, { type, map }] of [...tokens.entries()].reverse()) {
    if (type !== 'table_open' || !map) continue;
    const [first, end] = map;
    const prefix = /^[\s>]*/.exec(lines[first] ?? '')?.[0] ?? '';
    const rows = rowsFrom(tokens, index).map((row) => `${prefix}- ${row}`);
    lines.splice(first, end - first, ...rows);
  }
  return lines.join('\n');
}

function rowsFrom(tokens: readonly Token[], table: number): string[] {
  const rows: string[][] = [];
  for (const { type, content } of tokens.slice(table)) {
    if (type === 'table_close') break;
    if (type === 'tr_open') rows.push([]);
    else if (type === 'inline') rows.at(-1)?.push(content.trim());
  }
  return rows.map((cells, index) =>
    cells
      .filter((cell) => cell !== '')
      .map((cell) => (index === 0 ? `**${cell.replaceAll('**', '')}**` : cell))
      .join(' · '),
  );
}

/** What lists of chats and notifications show of a message: its first words. */
export function titleOf(markdown: string): string {
  const text = markdown.replaceAll(/[*_`#>~|[\]]+/g, '').trim();
  const [line = ''] = text.split('\n');
  return [...line.trim()].slice(0, 40).join('') || '…';
}
