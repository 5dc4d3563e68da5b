/** PostgreSQL's advisory locks that are taken here: numbers that no other program on the same server is likely to use. */
export const advisoryLocks = {
  /** Held while the tables are brought up to date. */
  migration: 7_275_392_014,
  /** Held by the one process that works on the database. */
  database: 7_275_392_015,
  /** Held while a message is taken from the queue. */
  claim: 7_275_392_016,
};
