/** Numbers that triggers raise in the transaction that changes records, whichever program makes it. */
export interface RecordVersions {
  /** Of bots, pipelines, providers, models, prices and sensitive words. */
  records: number;
  /** Of API keys and of the accounts that they belong to, but not of when a key was used. */
  access: number;
  /** Of plugins, MCP servers and webhooks, as an operator set them. */
  extensions: number;
}

/** Reads the versions as they are after the call; at once where that takes no wait. */
export type ReadVersions = () => RecordVersions | Promise<RecordVersions>;
