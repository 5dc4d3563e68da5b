const names = new Map<string, string>();

/** Has PostgreSQL keep the plan of a statement whose text never differs, on connections that prepare statements. */
export function nameStatement(sql: string): void {
  if (!names.has(sql)) names.set(sql, `s${names.size + 1}`);
}

/** The name to prepare a statement by; undefined when its text may be one of many. */
export function statementName(sql: string): string | undefined {
  return names.get(sql);
}
