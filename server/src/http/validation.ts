import { ParleyError } from '@parley/sdk';
import { Ajv, type AnySchema, type Options, type ValidateFunction } from 'ajv';
import addFormatsModule from 'ajv-formats';
import type { FastifyInstance, preValidationHookHandler } from 'fastify';
import { isDeeperThan } from '../lib/nesting.ts';

// The package is CommonJS: what `import` gives is its exports object.
const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;

const shared: Options = { allErrors: true, strict: false, useDefaults: false, removeAdditional: false };

/** Bodies are taken as they are; queries and path parameters are texts, so those are converted. */
export function useStrictValidation(server: FastifyInstance): void {
  const strict = new Ajv({ ...shared, coerceTypes: false });
  const converting = new Ajv({ ...shared, coerceTypes: true, useDefaults: true });
  addFormats(strict);
  addFormats(converting);
  server.setValidatorCompiler(({ schema, httpPart }) =>
    whenFirstUsed(httpPart === 'body' ? strict : converting, schema),
  );
}

/** More than anything that is taken needs. What goes deeper would exhaust the stack of whoever walks through it. */
const maximumDepth = 100;

/** Refuses what is nested too deeply, before anybody looks at it. Raw bytes are let through. */
export const refuseDeepBodies: preValidationHookHandler = (request, _reply, done) => {
  const { body } = request;
  if (!ArrayBuffer.isView(body) && isDeeperThan(body, maximumDepth)) {
    return done(new ParleyError('invalid_request', `The body may be nested at most ${maximumDepth} deep`));
  }
  done();
};

/** Compiling all schemas at start would take 150 ms and 10 MB; most routes of an installation are hardly ever called. */
function whenFirstUsed(ajv: Ajv, schema: AnySchema) {
  let compiled: ValidateFunction | undefined;
  const validate = (data: unknown): boolean => {
    compiled ??= ajv.compile(schema);
    const isValid = compiled(data) as boolean;
    validate.errors = compiled.errors ?? null;
    return isValid;
  };
  validate.errors = null as NonNullable<ValidateFunction['errors']> | null;
  return validate;
}

/** Drops the fields that a GET returned and nobody can write, so that reading and writing back works. */
export const dropReadOnlyFields: preValidationHookHandler = (request, _reply, done) => {
  for (const path of request.routeOptions.config.readOnly ?? []) drop(request.body, path.split('.'));
  done();
};

function drop(holder: unknown, [field = '', ...inner]: string[]): void {
  if (typeof holder !== 'object' || holder === null) return;
  if (inner.length === 0) delete (holder as Record<string, unknown>)[field];
  else drop((holder as Record<string, unknown>)[field], inner);
}
