import { v7 } from 'uuid';

const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A new lowercase uuid of version 7; each sorts after those this process made before, also within a millisecond. */
export function newUuid(): string {
  return v7();
}

/** The least uuid of version 7 for a timestamp, milliseconds since 1970. */
export function firstUuidOf(timestamp: number): string {
  const time = Math.min(Math.max(0, Math.floor(timestamp)), 0xffff_ffff_ffff)
    .toString(16)
    .padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

export function isUuid(text: string): boolean {
  return shape.test(text);
}
