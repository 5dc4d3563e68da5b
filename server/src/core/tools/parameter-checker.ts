/**
 * Compares what a model gave with what a tool declares. Both may be made to take any time, so it is done apart from the
 * thread that handles messages, and within a deadline.
 */
export interface ParameterChecker {
  /**
   * @param schema JSON Schema, draft 7 or as it names itself
   * @param parameters JSON
   * @param owner whose schema it is: checks of one owner never hold up those of another for long
   * @returns what is wrong with the parameters, for the model to read; null when nothing is
   * @throws ParleyError `tool_failed` when the schema cannot be used or the check takes too long
   */
  faultsOf(schema: Record<string, unknown>, parameters: string, owner: string): Promise<string | null>;
}
