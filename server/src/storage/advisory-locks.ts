/** PostgreSQL's advisory locks that are taken here: numbers that no other program on the same server is likely to use. */
export const advisoryLocks = {
  /** Held while the tables are brought up to date. */
  migration: 7_275_392_014,
  /** Held by the one process that works on the database. */
  database: 7_275_392_015,
  /** Held while a message is taken from the queue. */
  claim: 7_275_392_016,
  /** Held while the default pipeline is moved, or pipelines are counted before one is made. */
  pipelines: 7_275_392_017,
  /** Held while a model or its provider is written, so that what was looked at before is still so. */
  models: 7_275_392_018,
  /** Held while bots are counted before one is made. */
  bots: 7_275_392_019,
  /** Held while an MCP server is made or changed, so that no two have one name. */
  mcpServers: 7_275_392_020,
  /** Held while the tables of the store of chunks, or the extension for its vectors, are made. */
  chunks: 7_275_392_022,
  /** Held while a document is added to a knowledge base or a collection begun, so that none is there twice. */
  knowledge: 7_275_392_021,
};
