import { invalidFields } from '@parley/sdk';
import type { FastifyInstance } from 'fastify';

/**
 * Keys that would change the prototype of an object into which a body is copied, also with escapes. Bodies without such
 * a text, nearly all, are not searched.
 */
const suspicious =
  /"(?:_|\\u005f){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006f)(?:t|\\u0074)(?:o|\\u006f)(?:_|\\u005f){2}"\s*:|"(?:c|\\u0063)(?:o|\\u006f)(?:n|\\u006e)(?:s|\\u0073)(?:t|\\u0074)(?:r|\\u0072)(?:u|\\u0075)(?:c|\\u0063)(?:t|\\u0074)(?:o|\\u006f)(?:r|\\u0072)"\s*:/i;

/** Parses JSON bodies, and rejects forbidden keys with their path. */
export function readJsonBodies(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('ignore', 'ignore');
  server.removeContentTypeParser('application/json');
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text: string, done) => {
    parse(request, text, (error, body) => {
      if (error !== null) return done(error);
      const path = suspicious.test(text) ? refusedPath(body) : null;
      if (path === null) done(null, body);
      else done(invalidFields([{ path, message: 'is not a name that a field may have' }]));
    });
  });
}

/** Path of the first forbidden key: `config.__proto__`; null if there is none. */
function refusedPath(body: unknown): string | null {
  // Bodies may be nested deeper than the stack allows.
  const waiting: { value: unknown; path: string }[] = [{ value: body, path: '' }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, path } = next;
    if (typeof value !== 'object' || value === null) continue;
    const isList = Array.isArray(value);
    for (const [key, inner] of Object.entries(value)) {
      const at = isList ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
      if (!isList && (key === '__proto__' || (key === 'constructor' && hasPrototype(inner)))) return at;
      waiting.push({ value: inner, path: at });
    }
  }
  return null;
}

function hasPrototype(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
}
