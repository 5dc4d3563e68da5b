import { type Fields, fieldsOf } from './fields.ts';

/** What a client sends: an event, the response to an action, or nothing that can be read. */
export type Frame = { type: 'event' | 'response'; fields: Fields } | { type: 'unreadable' };

/** @param data of a websocket message */
export function readFrame(data: string | Uint8Array): Frame {
  let value: unknown;
  try {
    value = JSON.parse(typeof data === 'string' ? data : Buffer.from(data).toString());
  } catch {
    return { type: 'unreadable' };
  }
  const fields = fieldsOf(value);
  if (typeof fields.post_type === 'string') return { type: 'event', fields };
  const isResponse = typeof fields.status === 'string' || typeof fields.retcode === 'number';
  return isResponse ? { type: 'response', fields } : { type: 'unreadable' };
}
