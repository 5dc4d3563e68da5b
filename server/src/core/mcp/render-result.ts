import { type MessageElement, ParleyError, type ToolResult } from '@parley/sdk';
import { isBase64 } from '../../lib/base64.ts';

interface Fields {
  [field: string]: unknown;
}

/** One part of a result: a text for the model, and perhaps an attachment for the user. */
interface Rendered {
  text: string;
  attachment?: MessageElement;
}

/**
 * Renders the result of a call for the model: texts unchanged; images, recordings and the like go to the user, with a
 * note for the model. Structured content counts only without text.
 * @param result unchecked response
 * @throws ParleyError `tool_failed` when the server reports a failure, or the result is malformed
 */
export function renderResult(result: unknown): ToolResult {
  if (!isObject(result)) throw unreadable();
  const { content = [], structuredContent, isError } = result;
  if (!Array.isArray(content)) throw unreadable();
  if (content.length === 0 && structuredContent === undefined && result.content === undefined) throw unreadable();
  const parts = content.map(renderPart);
  const hasText = content.some((part) => isObject(part) && part.type === 'text');
  const structured = hasText || !isObject(structuredContent) ? [] : [JSON.stringify(structuredContent)];
  const text = [...parts.map((part) => part.text), ...structured].join('\n');
  if (isError === true) throw new ParleyError('tool_failed', text.trim() === '' ? 'the tool failed' : text);
  return { text, attachments: parts.flatMap(({ attachment }) => attachment ?? []) };
}

function renderPart(part: unknown): Rendered {
  if (!isObject(part)) return note('something that cannot be read');
  switch (part.type) {
    case 'text':
      return { text: textOf(part.text) };
    case 'image':
      return media(part.data, part.mimeType, 'an image');
    case 'audio':
      return media(part.data, part.mimeType, 'a recording');
    case 'resource':
      return isObject(part.resource) ? renderResource(part.resource) : note('a resource that cannot be read');
    case 'resource_link': {
      const about = [part.title ?? part.name, part.description].filter((one) => textOf(one) !== '');
      return note(`a link to the resource ${textOf(part.uri)}${about.length === 0 ? '' : ` (${about.join(': ')})`}`);
    }
    default:
      return note(`something of the kind ${JSON.stringify(part.type ?? null).slice(0, 100)}, which cannot be shown`);
  }
}

function renderResource({ uri, mimeType, text, blob }: Fields): Rendered {
  if (typeof text === 'string') return { text: `[Resource ${textOf(uri)}]\n${text}` };
  if (typeof blob !== 'string') return note(`the resource ${textOf(uri)}, which has no readable content`);
  return media(blob, mimeType, `the resource ${textOf(uri)}`);
}

/** @param data base64 */
function media(data: unknown, mimeType: unknown, what: string): Rendered {
  const type = textOf(mimeType).toLowerCase().split(';')[0]?.trim() ?? '';
  if (typeof data !== 'string' || !isBase64(data)) return note(`${what}, which cannot be read`);
  const base64 = `data:${type};base64,${data}`;
  const text = `[${sentence(what)} (${type}) is attached to the answer]`;
  // A vector image may hold scripts, and few platforms take one.
  if (/^image\/(?!svg)[\w.+-]+$/.test(type)) return { text, attachment: { type: 'Image', base64 } };
  if (/^audio\/[\w.+-]+$/.test(type)) return { text, attachment: { type: 'Voice', base64 } };
  return note(
    `${what}, ${Math.floor((data.length * 3) / 4)} bytes of ${type || 'an unknown kind'}, which is not shown`,
  );
}

function note(what: string): Rendered {
  return { text: `[The tool answered ${what}]` };
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unreadable(): ParleyError {
  return new ParleyError('tool_failed', 'the MCP server gave an answer that cannot be read');
}
