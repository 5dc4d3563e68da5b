import type { ParameterChecker } from '../../src/core/tools/parameter-checker.ts';
import { SchemaValidator } from '../../src/schema-host/schema-validator.ts';

const validator = new SchemaValidator();

/** Checks parameters in this thread, for tests whose schemas are their own. */
export const checkInProcess: ParameterChecker = {
  faultsOf: async (schema, parameters) => validator.faultsOf(JSON.stringify(schema), parameters),
};
