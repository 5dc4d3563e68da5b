import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { FakeRequest } from './fake-service.ts';

/* What fakes of services are put together from. */

/** How a fake answers a question that nothing else was arranged for. */
export interface FakeAnswer {
  /** The text, in chunks. */
  texts: Iterable<string>;
  /** Between two chunks, milliseconds. */
  delayMs: number;
  /** Before even the headers come, milliseconds. */
  headersAfterMs: number;
  /** Events between the text and the end. */
  extra: string[];
}

/** The default answer: `Forty-two.` */
export function defaultAnswer(): FakeAnswer {
  return { texts: ['Forty', '-two', '.'], delayMs: 0, headersAfterMs: 0, extra: [] };
}

/** Text without end. */
export function* endlessTexts(): Generator<string> {
  for (;;) yield 'and so on, ';
}

/** Sends a stream, chunk by chunk, until the client disconnects. */
export async function streamPieces(
  response: ServerResponse,
  pieces: Iterable<string>,
  { delayMs, headersAfterMs }: Pick<FakeAnswer, 'delayMs' | 'headersAfterMs'>,
): Promise<void> {
  if (headersAfterMs > 0) await delay(headersAfterMs);
  if (response.destroyed) return;
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  for (const piece of pieces) {
    if (delayMs > 0) await delay(delayMs);
    if (response.destroyed) return;
    if (!response.write(piece)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
  response.end();
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** One event with its name. */
export function namedEvent(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** The file in the form field `file`; null if missing. */
export async function fileIn({ body, headers }: FakeRequest): Promise<File | null> {
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': headers['content-type'] ?? '' },
  }).formData();
  const file = form.get('file');
  return file instanceof File ? file : null;
}
