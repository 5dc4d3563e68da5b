import { type ErrorDetail, invalidFields } from '@parley/sdk';
import type { preValidationHookHandler } from 'fastify';
import { isModelApiPath } from './model-api-errors.ts';

/**
 * Rejects record names that databases cannot store unchanged: PostgreSQL accepts neither NUL nor unpaired surrogates.
 * Other fields have such characters replaced, but names must stay unique. Names are the fields `name` of a body and of
 * the records in it (`provider.name`), and `user`.
 */
export const refuseUnstorableNames: preValidationHookHandler = (request, _reply, done) => {
  const { body } = request;
  if (!isRecord(body) || isModelApiPath(request.url)) return done();
  const details = faultsOf(body, '');
  for (const [field, value] of Object.entries(body)) if (isRecord(value)) details.push(...faultsOf(value, `${field}.`));
  if (details.length > 0) done(invalidFields(details));
  else done();
};

const message = 'must not hold the character NUL or half of a surrogate pair';

function faultsOf(record: Record<string, unknown>, prefix: string): ErrorDetail[] {
  return ['name', 'user']
    .filter((field) => {
      const value = record[field];
      return typeof value === 'string' && (value.includes('\0') || !value.isWellFormed());
    })
    .map((field) => ({ path: prefix + field, message, rule: 'characters' }));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}
