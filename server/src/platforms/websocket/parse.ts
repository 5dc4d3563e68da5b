import { invalidFields, ParleyError } from '@parley/sdk';
import { isUuid } from '../../lib/uuid.ts';

/** A frame from a browser. */
export type ClientFrame =
  /** `message` is a chain that is still to be checked. */
  | { type: 'message'; message: unknown; stream: boolean; message_id: string | null; replaces: string | null }
  /** Up to the message with this uuid; null for all. */
  | { type: 'stop'; uuid: string | null }
  | { type: 'ping' }
  | { type: 'disconnect' }
  /** A kind of frame that is not known here; it is passed over. */
  | { type: 'unknown' };

export type MessageFrame = Extract<ClientFrame, { type: 'message' }>;

/** Longest identifier that a client may give its messages. */
const maximumIdLength = 128;

/**
 * Parses a frame. A frame without a type is a message, as clients of the reference system send it.
 * @throws ParleyError `invalid_request` with the cause
 */
export function parseFrame(text: string): ClientFrame {
  let frame: unknown;
  try {
    frame = JSON.parse(text);
  } catch {
    throw new ParleyError('invalid_request', 'Invalid JSON format');
  }
  if (typeof frame !== 'object' || frame === null || Array.isArray(frame)) {
    throw new ParleyError('invalid_request', 'A frame must be a JSON object');
  }
  const { type = 'message', message, stream, message_id: id = null, ...more } = frame as Record<string, unknown>;
  if (type === 'ping' || type === 'disconnect') return { type };
  if (type === 'stop') return { type, uuid: uuidOf(more, 'uuid') };
  if (type !== 'message') return { type: 'unknown' };
  if (id !== null && (typeof id !== 'string' || id === '' || id.length > maximumIdLength)) {
    throw new ParleyError('invalid_request', `message_id: must be a text of 1 to ${maximumIdLength} characters`);
  }
  return { type, message, stream: stream !== false, message_id: id, replaces: uuidOf(more, 'replaces') };
}

function uuidOf(frame: Record<string, unknown>, field: string): string | null {
  const value = frame[field] ?? null;
  if (value === null) return null;
  if (typeof value !== 'string' || !isUuid(value)) throw invalidFields([{ path: field, message: 'must be a uuid' }]);
  return value.toLowerCase();
}
