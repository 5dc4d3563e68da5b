import { APICallError, InvalidResponseDataError } from '@ai-sdk/provider';
import type { ModelConnection } from '@parley/sdk';
import { parsedJson, refusedCall } from '../../kit/model-calls/refused-call.ts';
import { mergeObjects } from '../../lib/merge-objects.ts';

/** Call parameters of a model of Ollama. */
export type OllamaConnection = Pick<ModelConnection, 'model_name' | 'extra_args' | 'fetch'> & {
  /** The server's, without a path of the protocol. */
  address: string;
  headers: Record<string, string>;
};

interface CallOptions {
  abortSignal?: AbortSignal | undefined;
  headers?: Record<string, string | undefined> | undefined;
}

/**
 * Sends a request to Ollama. Extra arguments are laid on the body, where `fixed` fields stay as they are.
 * @throws APICallError when it is refused
 */
export async function callOllama(
  connection: OllamaConnection,
  path: string,
  body: Record<string, unknown>,
  fixed: readonly string[],
  { abortSignal, headers = {} }: CallOptions,
): Promise<Response> {
  const url = `${connection.address}${path}`;
  const unchanged = Object.fromEntries(fixed.map((field) => [field, body[field]]));
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const response = await connection.fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...connection.headers, ...Object.fromEntries(given) },
    body: JSON.stringify({ ...mergeObjects(body, connection.extra_args), ...unchanged }),
    ...(abortSignal === undefined ? {} : { signal: abortSignal }),
  });
  if (!response.ok) throw refusedCall(url, {}, response, await response.text());
  return response;
}

/** The lines of an answer, each parsed. @throws InvalidResponseDataError for a line that is no JSON */
export async function* linesOf(response: Response): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of response.body ?? []) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield jsonOf(line);
  }
  if (rest.trim() !== '') yield jsonOf(rest);
}

/** @throws InvalidResponseDataError for invalid JSON */
export function jsonOf(text: string): unknown {
  const json = parsedJson(text);
  if (json !== undefined) return json;
  throw new InvalidResponseDataError({ data: undefined, message: 'The answer is no JSON' });
}

/** The error that Ollama reports in the middle of an answer. */
export function faultWithin(message: string): APICallError {
  return new APICallError({ message, url: '', requestBodyValues: {}, statusCode: 500, isRetryable: true });
}
