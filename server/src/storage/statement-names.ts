import { createHash } from 'node:crypto';

const names = new Map<string, string>();

/**
 * Has PostgreSQL keep the plan of a statement whose text never differs, on connections that prepare statements. The name is
 * made of the text: a pooler may give a connection to several processes, also of different versions.
 */
export function nameStatement(sql: string): void {
  if (!names.has(sql)) names.set(sql, `s${createHash('sha256').update(sql).digest('base64url').slice(0, 22)}`);
}

/** The name to prepare a statement by; undefined when its text may be one of many. */
export function statementName(sql: string): string | undefined {
  return names.get(sql);
}
