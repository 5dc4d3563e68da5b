import { ParleyError } from '@parley/sdk';

/** A frame from a browser. */
export type ClientFrame =
  /** `message` is a chain that is still to be checked. */
  | { type: 'message'; message: unknown; stream: boolean; message_id: string | null }
  | { type: 'ping' }
  | { type: 'disconnect' }
  /** A kind of frame that is not known here; it is passed over. */
  | { type: 'unknown' };

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
  const { type = 'message', message, stream, message_id: id = null } = frame as Record<string, unknown>;
  if (type === 'ping' || type === 'disconnect') return { type };
  if (type !== 'message') return { type: 'unknown' };
  if (id !== null && (typeof id !== 'string' || id === '' || id.length > maximumIdLength)) {
    throw new ParleyError('invalid_request', `message_id: must be a text of 1 to ${maximumIdLength} characters`);
  }
  return { type, message, stream: stream !== false, message_id: id };
}
