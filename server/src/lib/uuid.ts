import { randomUUIDv7 } from 'node:crypto';
import { present } from './clock.ts';

const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Largest counter within a millisecond. */
const maximumCounter = 0xfff;
let millisecond = 0;
/** Text of the millisecond and of the version. */
let beginning = '';
let counter = 0;

/**
 * A new lowercase uuid of version 7; each sorts after those this process made before, also within a millisecond. The
 * 12 bits after the version are a counter (RFC 9562, 6.2, method 1), the other 62 are random.
 */
export function newUuid(): string {
  const random = randomUUIDv7();
  const time = present();
  if (time > millisecond || counter === maximumCounter) {
    millisecond = Math.max(time, millisecond + 1);
    beginning = firstUuidOf(millisecond).slice(0, 15);
    // The upper half is left for the counter to rise.
    counter = Number.parseInt(random.slice(15, 18), 16) >> 1;
  } else {
    counter += 1;
  }
  return `${beginning}${counter.toString(16).padStart(3, '0')}${random.slice(18)}`;
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
