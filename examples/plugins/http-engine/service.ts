import type { PluginHost } from '@parley/sdk/plugin';

/** Where the service is, and what it knows the caller by. */
export interface ServiceSettings {
  server: string;
  key: string;
}

/** A passage as the service returns it. */
export interface FoundPassage {
  id: string;
  document: string;
  text: string;
  /** Higher is better. */
  score: number;
}

/**
 * Calls the service.
 * @param path below its address, encoded
 * @returns the JSON of the response; null for one without content
 * @throws Error with a reason when it refuses the request or cannot be understood
 */
export async function callService(
  host: PluginHost<ServiceSettings>,
  method: 'PUT' | 'POST' | 'DELETE',
  path: string,
  { body, signal }: { body?: unknown; signal: AbortSignal },
): Promise<unknown> {
  const { server, key } = await host.settings();
  if (server === '') throw failure('The settings of the plugin have no address.');
  const response = await host.fetch(`${server.replace(/\/+$/, '')}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal,
  });
  // What was removed before is gone, as it should be.
  if (method === 'DELETE' && response.status === 404) return null;
  if (!response.ok) throw failure(`The service answered ${method} with the status ${response.status}.`);
  const text = await response.text();
  try {
    return text === '' ? null : JSON.parse(text);
  } catch (error) {
    throw failure('The service answered with something else than JSON.', error);
  }
}

/** @throws Error when it is no list of passages */
export function passagesIn(answer: unknown): FoundPassage[] {
  const { passages } = Object(answer) as { passages?: unknown };
  if (!Array.isArray(passages) || !passages.every(isPassage)) throw failure('The service returned no passages.');
  return passages;
}

function isPassage(value: unknown): value is FoundPassage {
  const { id, document, text, score } = Object(value) as Partial<Record<keyof FoundPassage, unknown>>;
  return [id, document, text].every((field) => typeof field === 'string') && Number.isFinite(score);
}

function failure(message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { reason: 'provider_failed' });
}
