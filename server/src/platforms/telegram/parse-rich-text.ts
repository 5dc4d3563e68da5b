import type { RichMessage } from 'grammy/types';

/** How deep lists in quotes in tables may go. */
const maximumDepth = 16;
/**
 * The plain text of a message with rich formatting (headings, lists, tables), a line for each block.
 * @see https://core.telegram.org/bots/api#richmessage
 */
export function richText(message: RichMessage): string {
  return blockText(message, 0)
    .replace(/\n{2,}/g, '\n')
    .trim();
}

function blockText(value: unknown, depth: number): string {
  if (depth > maximumDepth || typeof value !== 'object' || value === null) return '';
  if (Array.isArray(value)) return value.map((item) => blockText(item, depth + 1)).join('\n');
  const { summary, text, expression, blocks, items, cells, caption } = value as Record<string, unknown>;
  const words = [summary, text ?? expression].map((inline) => inlineText(inline, depth));
  const inner = [blocks, items, cells].map((block) => blockText(block, depth + 1));
  return [...words, ...inner, inlineText(caption, depth)].filter((line) => line !== '').join('\n');
}

/** A text, a list of texts, or a styled text. */
function inlineText(value: unknown, depth: number): string {
  if (typeof value === 'string') return value;
  if (depth > maximumDepth || typeof value !== 'object' || value === null) return '';
  if (Array.isArray(value)) return value.map((item) => inlineText(item, depth + 1)).join('');
  const { text, expression } = value as Record<string, unknown>;
  return inlineText(text ?? expression, depth + 1);
}
