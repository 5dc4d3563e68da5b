import type { IncomingHttpHeaders } from 'node:http';

/** A request as it arrived. */
export interface ReceivedCall {
  method: string;
  /** With the query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
  /** Resolves when the connection of this request is closed, by either side. */
  closed: Promise<void>;
}

/** What a model says. */
export interface FakeAnswer {
  chunks: string[];
  /** Called after the text. */
  tool?: { name: string; arguments: Record<string, unknown> };
  inputTokens: number;
  outputTokens: number;
}

export type Asked = 'chat' | 'embedding' | 'rerank' | 'models' | null;

/** How one protocol looks on the wire, as its own documentation has it. */
export interface Dialect {
  /** What a provider record's address ends with. */
  basePath: string;
  /** The content type of streams. */
  streamType: string;
  /** What a request asks for; null when the protocol has no such path. */
  asks(call: ReceivedCall): Asked;
  modelOf(call: ReceivedCall): string;
  /** The key of a request; null without one. */
  keyOf(headers: IncomingHttpHeaders): string | null;
  isStream(call: ReceivedCall): boolean;
  /** The stream: before the text, each chunk, and the end. */
  stream(answer: FakeAnswer, model: string): { head: Uint8Array[]; pieces: Uint8Array[]; tail: Uint8Array[] };
  whole(answer: FakeAnswer, model: string): object;
  embeddings?(vectors: number[][], call: ReceivedCall): object;
  textsOf?(call: ReceivedCall): string[];
  models?(names: string[]): object;
  error(status: number, message: string): object;
  /** What the vendor says to a name it does not know. */
  unknownModel(model: string): { status: number; message: string };
}

export const serverSentEvent = (data: unknown, event?: string): Uint8Array =>
  Buffer.from(`${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`);

export const bearerOf = ({ authorization }: IncomingHttpHeaders): string | null =>
  authorization?.replace(/^Bearer /, '') ?? null;

export const headerOf =
  (name: string) =>
  (headers: IncomingHttpHeaders): string | null =>
    (headers[name] as string | undefined) ?? null;

/** A JSON text in two halves, as arguments of tools come in real streams. */
export function halves(json: unknown): string[] {
  const text = JSON.stringify(json);
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}
