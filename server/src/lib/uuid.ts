import { randomUUIDv7 } from 'node:crypto';

const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A new lowercase uuid that sorts by time (version 7). */
export function newUuid(): string {
  return randomUUIDv7();
}

export function isUuid(text: string): boolean {
  return shape.test(text);
}
