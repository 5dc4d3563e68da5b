/** One run of the suite on a platform, as data: what it cannot show is also listed in documents. */
export interface SuiteRun {
  /** Where a platform has several. */
  mode?: string;
  /** Fields of the configuration that make the mode. */
  config: Readonly<Record<string, unknown>>;
  /** Cases, or families of them, that the platform has no counterpart for, with the reason. */
  impossible: Readonly<Record<string, string>>;
}
