/** PostgreSQL's advisory locks that are taken here: numbers that no other program on the same server is likely to use. */
export const advisoryLocks = {
  /** Held while the tables are brought up to date. */
  migration: 7_275_392_014,
  /** Held by a process of a version before there were replicas, the only one that works on the database. */
  database: 7_275_392_015,
  /** Held while a message is taken from the queue. */
  claim: 7_275_392_016,
  /** Held while the default pipeline is changed, or pipelines are counted before one is created. */
  pipelines: 7_275_392_017,
  /** Held while a model or its provider is written, so that earlier checks stay valid. */
  models: 7_275_392_018,
  /** Held while bots are counted before one is created. */
  bots: 7_275_392_019,
  /** Held while an MCP server is created or changed, so that names stay unique. */
  mcpServers: 7_275_392_020,
  /** Held while the tables of the chunk store, or its vector extension, are created. */
  chunks: 7_275_392_022,
  /** Held while a document is added to a knowledge base or a collection is created, to prevent duplicates. */
  knowledge: 7_275_392_021,
  /** Held while a plugin is written, so that their order stays unique. */
  plugins: 7_275_392_023,
  /** Held while a bot connects with an account, so that no other one does. */
  botAccounts: 7_275_392_024,
};
