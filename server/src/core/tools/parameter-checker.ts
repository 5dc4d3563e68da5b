import type { ErrorDetail } from '@parley/sdk';

/** An error in parameters. */
export interface ParameterFault {
  /** For models: `/days/0 must be number`. */
  text: string;
  /** For forms, with a path below `parameters`: `parameters.days[0]`. */
  detail: ErrorDetail;
}

/**
 * Validates parameters from a model against the schema of a tool. Either may be crafted to take any time, so it runs
 * outside of the main thread, with a timeout.
 */
export interface ParameterChecker {
  /**
   * @param schema JSON Schema, draft 7 or as it names itself
   * @param parameters JSON
   * @param owner of the schema: checks of one owner never block those of another for long
   * @returns the errors in the parameters; none when they are valid
   * @throws ParleyError `tool_failed` for an unusable schema or after the timeout
   */
  faultsOf(schema: Record<string, unknown>, parameters: string, owner: string): Promise<readonly ParameterFault[]>;
}
