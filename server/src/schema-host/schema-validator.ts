import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ParameterFault } from '../core/tools/parameter-checker.ts';
import { type AjvFault, faultDetail } from '../lib/fault-detail.ts';
import { linearRegExp } from './linear-reg-exp.ts';

/** Most errors reported. */
const maximumFaults = 5;
/** Most allowed values named in an error. */
const maximumValues = 20;
/** Looking for all faults takes memory for each: it is done where schema times parameters, in characters, are no more. */
const smallProduct = 2_000_000;
/** Size of the cache of compiled schemas. */
const cachedSchemas = 200;

/**
 * Validates parameters with untrusted schemas, and caches the most recently used ones compiled. Takes as long as they
 * make it take, so run it in a separate thread.
 */
export class SchemaValidator {
  readonly #compiled = new Map<string, ValidateFunction>();

  /**
   * The errors in parameters; none when they are valid.
   * @param schema JSON, draft 7 or as it names itself
   * @param parameters JSON
   * @throws Error for an unusable schema
   */
  faultsOf(schema: string, parameters: string): ParameterFault[] {
    const allErrors = schema.length * parameters.length <= smallProduct;
    const validate = this.#open(schema, allErrors);
    if (validate(JSON.parse(parameters))) return [];
    return (validate.errors ?? []).slice(0, maximumFaults).map(faultOf);
  }

  /** Moves the most recently used one to the end; eviction takes from the start. */
  #open(schema: string, allErrors: boolean): ValidateFunction {
    const key = `${allErrors} ${schema}`;
    const validate = this.#compiled.get(key) ?? compile(JSON.parse(schema) as Record<string, unknown>, allErrors);
    this.#compiled.delete(key);
    this.#compiled.set(key, validate);
    const [oldest] = this.#compiled.keys();
    if (this.#compiled.size > cachedSchemas && oldest !== undefined) this.#compiled.delete(oldest);
    return validate;
  }
}

function faultOf(error: ErrorObject): ParameterFault {
  const { allowedValues, ...params }: AjvFault['params'] = error.params;
  const values = allowedValues?.slice(0, maximumValues);
  const named = params.additionalProperty ?? values?.map(String).join(', ');
  const { instancePath, message = 'is not right' } = error;
  return {
    text: `${instancePath === '' ? 'the object' : instancePath} ${message}${named === undefined ? '' : ` (${named})`}`,
    detail: faultDetail(
      { ...error, message, params: { ...params, ...(values === undefined ? {} : { allowedValues: values }) } },
      'parameters',
    ),
  };
}

/** A compiler for each schema: a shared one would retain every schema it has seen, and their ids would clash. */
function compile({ $schema: draft = '', ...schema }: Record<string, unknown>, allErrors: boolean): ValidateFunction {
  const code = { regExp: linearRegExp };
  const options = { allErrors, strict: false, validateFormats: false, logger: false, code } as const;
  const isLater = /20(19-09|20-12)/.test(String(draft));
  return (isLater ? new Ajv2020(options) : new Ajv(options)).compile(schema);
}
