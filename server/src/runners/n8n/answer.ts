import { ParleyError, type RunnerDelta } from '@parley/sdk';
import type { ServiceAnswer } from '../../kit/services/service-answer.ts';
import type { ServiceClient } from '../../kit/services/service-client.ts';
import { isRecord, textAt } from '../../kit/services/values.ts';
import { JsonObjects } from '../../lib/json-objects.ts';

/** Maximum response, bytes. */
const longestAnswer = 8 * 1024 * 1024;
/** Types of the first chunk of a stream; later ones may be unknown. */
const firstChunks = new Set(['begin', 'item', 'end', 'error']);
/** Field in which agents of n8n return their answer. */
const defaultKey = 'output';

/**
 * The response of a webhook: streamed chunks, or the complete text. They differ only in content.
 * @param key field of the text in a complete response; `a.b` is a nested field
 * @throws ParleyError when n8n reports a failure, or the response has no text or is incomplete
 */
export async function* answerDeltas(
  answer: ServiceAnswer,
  { client, key }: { client: ServiceClient; key: string },
): AsyncGenerator<RunnerDelta> {
  const objects = new JsonObjects();
  let whole = '';
  let mode: 'unknown' | 'stream' | 'whole' = 'unknown';
  let isEnded = false;
  for await (const piece of answer.pieces(longestAnswer)) {
    if (mode !== 'stream') whole += piece;
    if (mode === 'unknown' && /^\s*[^\s{]/.test(whole)) mode = 'whole';
    if (mode === 'whole') continue;
    for (const text of objects.feed(piece)) {
      const chunk = chunkIn(text);
      if (chunk === null || (mode === 'unknown' && !firstChunks.has(chunk.type))) {
        if (mode === 'stream') throw client.malformed('a chunk has an unknown type.');
        mode = 'whole';
        break;
      }
      mode = 'stream';
      whole = '';
      if (chunk.type === 'error') throw client.failure(null, chunk.content);
      if (chunk.type === 'item') yield { type: 'text', text: chunk.content };
      if (chunk.type === 'begin' || chunk.type === 'end') isEnded = chunk.type === 'end';
    }
  }
  if (mode === 'stream') {
    if (!isEnded || objects.rest !== '') throw new ParleyError('provider_failed', 'The answer of n8n broke off.');
  } else {
    yield { type: 'text', text: textOf(whole, answer.mediaType, client, key) };
  }
}

function chunkIn(text: string): { type: string; content: string } | null {
  try {
    const chunk: unknown = JSON.parse(text);
    const type = textAt(chunk, 'type');
    return type === '' ? null : { type, content: textAt(chunk, 'content') };
  } catch {
    return null;
  }
}

function textOf(whole: string, mediaType: string, client: ServiceClient, key: string): string {
  let value: unknown;
  try {
    value = JSON.parse(whole);
  } catch {
    // Workflows return plain text with various media types.
    if (mediaType === 'application/json' && whole.trim() !== '') throw client.malformed('it is not JSON.');
    if (/^\s*<(?:!doctype|html)\b/i.test(whole)) throw client.malformed('it is a page for browsers.');
    return whole;
  }
  const items = Array.isArray(value) ? value : [value];
  const texts = items.map((item) => textOfItem(item, key)).filter((text) => text !== null);
  if (texts.length === 0 && items.length > 0) {
    throw new ParleyError('provider_failed', `The answer of n8n has no field ${JSON.stringify(key.slice(0, 100))}.`);
  }
  return texts.join('\n\n');
}

function textOfItem(item: unknown, key: string): string | null {
  const value = isRecord(item) ? (fieldAt(item, key) ?? fieldAt(item, defaultKey)) : item;
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function fieldAt(item: Record<string, unknown>, key: string): unknown {
  if (Object.hasOwn(item, key)) return item[key];
  return key
    .split('.')
    .reduce<unknown>((value, part) => (isRecord(value) && Object.hasOwn(value, part) ? value[part] : undefined), item);
}
