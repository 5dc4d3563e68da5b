import type { components } from '@parley/client';

/** A request to a model as it was sent, without secrets. */
export type SentRequest = Pick<components['schemas']['ModelRequest'], 'method' | 'url' | 'headers' | 'body'>;

/** Stands for a credential. */
const hidden = '…';
const key = '$API_KEY';

/** The request as a JSON document; its body is part of the document if it is complete. */
export function asJson({ method, url, headers, body }: SentRequest): string {
  return JSON.stringify({ method, url, headers, body: parsed(body) }, null, 2);
}

/** The body, indented if it is JSON. */
export function shownBody(body: string): string {
  const value = parsed(body);
  return typeof value === 'string' ? body : JSON.stringify(value, null, 2);
}

/** A command for POSIX shells, with the variable `API_KEY` in place of the key. */
export function asCurl({ method, url, headers, body }: SentRequest): string {
  return [
    `curl -X ${quoted(method)} ${quoted(url)}`,
    ...Object.entries(headers)
      .filter(([name]) => name !== 'content-length' && name !== 'user-agent')
      .map(([name, value]) => `-H ${withKey(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' \\\n  ');
}

function parsed(body: string | null): unknown {
  try {
    return body === null ? null : JSON.parse(body);
  } catch {
    return body;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** In double quotes, in which the shell replaces the variable, and nothing else. */
function withKey(text: string): string {
  if (!text.includes(hidden)) return quoted(text);
  return `"${text.replace(/["\\$`]/g, '\\$&').replaceAll(hidden, key)}"`;
}
