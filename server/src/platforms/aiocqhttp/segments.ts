import { readCqText } from './cq-code.ts';
import { fieldsOf } from './fields.ts';
import type { Segment } from './segment.ts';

/** The segments of a message: an array, one segment, or a text with codes. What is none of these has no segments. */
export function readSegments(message: unknown): Segment[] {
  if (typeof message === 'string') return readCqText(message);
  return [message].flat().flatMap((segment) => {
    const { type, data } = fieldsOf(segment);
    return typeof type === 'string' ? [{ type, data: fieldsOf(data) }] : [];
  });
}
