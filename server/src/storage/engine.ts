/** What the data is kept in. */
export type Engine = 'sqlite' | 'postgres';
