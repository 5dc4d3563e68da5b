import { ParleyError } from '@parley/sdk';
import { Ajv, type AnySchema, type Options, type ValidateFunction } from 'ajv';
import addFormatsModule from 'ajv-formats';
import type { FastifyInstance, preValidationHookHandler } from 'fastify';
import { isDeeperThan } from '../lib/nesting.ts';

// The package is CommonJS: `import` returns its exports object.
const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;

const shared: Options = { allErrors: true, strict: false, useDefaults: false, removeAdditional: false };

/** Bodies are not converted; queries and path parameters are strings, so those are. */
export function useStrictValidation(server: FastifyInstance): void {
  const strict = new Ajv({ ...shared, coerceTypes: false });
  const converting = new Ajv({ ...shared, coerceTypes: true, useDefaults: true });
  addFormats(strict);
  addFormats(converting);
  server.setValidatorCompiler(({ schema, httpPart }) =>
    whenFirstUsed(httpPart === 'body' ? strict : converting, schema),
  );
}

/** More than any valid body needs. Deeper bodies would exhaust the stack of recursive code. */
const maximumDepth = 100;

/** Rejects deeply nested bodies before they are used. Raw bytes are not checked. */
export const refuseDeepBodies: preValidationHookHandler = (request, _reply, done) => {
  const { body } = request;
  if (!ArrayBuffer.isView(body) && isDeeperThan(body, maximumDepth)) {
    return done(new ParleyError('invalid_request', `The body may be nested at most ${maximumDepth} deep`));
  }
  done();
};

/** Compiling all schemas at start would take 150 ms and 10 MB; most routes of an installation are rarely called. */
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

/** Drops read-only fields, so that a GET response can be sent back. */
export const dropReadOnlyFields: preValidationHookHandler = (request, _reply, done) => {
  for (const path of request.routeOptions.config.readOnly ?? []) drop(request.body, path.split('.'));
  done();
};

function drop(holder: unknown, [field = '', ...inner]: string[]): void {
  if (typeof holder !== 'object' || holder === null) return;
  if (inner.length === 0) delete (holder as Record<string, unknown>)[field];
  else drop((holder as Record<string, unknown>)[field], inner);
}
