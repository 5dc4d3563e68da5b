import { createHash } from 'node:crypto';

/** A short digest of a content, to tell whether a message shows it already. @param content JSON */
export function digestOf(content: unknown): string {
  return createHash('sha1').update(JSON.stringify(content)).digest('base64url').slice(0, 8);
}
