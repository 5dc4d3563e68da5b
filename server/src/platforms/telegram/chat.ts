import type { DeliveryTarget } from '@parley/sdk';
import { settingFault } from '../../kit/setting-fault.ts';

/** Where a call writes to. */
export interface Place {
  chat_id: number | string;
  message_thread_id?: number;
}

/** A chat that is written to, or one topic of it. */
export interface Chat {
  /** Tells chats apart, whatever their topics; limits count for a chat as a whole. */
  key: string;
  isGroup: boolean;
  place: Place;
}

export function chatOf({ session_type, session_id, thread_id }: Omit<DeliveryTarget, 'pipeline_uuid'>): Chat {
  const chat_id = /^-?\d{1,15}$/.test(session_id) ? Number(session_id) : session_id;
  const place = /^\d{1,15}$/.test(thread_id) ? { chat_id, message_thread_id: Number(thread_id) } : { chat_id };
  return { key: session_id, isGroup: session_type === 'group', place };
}

/**
 * Reads where a program wants to write: a chat, its `@name`, or a topic as `<chat>#<topic>`.
 * @throws ParleyError `invalid_request`
 */
export function parseTarget(targetId: string): Pick<DeliveryTarget, 'session_id' | 'thread_id'> {
  const [, session_id = '', thread_id = ''] = /^([^#]+)(?:#([1-9]\d{0,14}))?$/.exec(targetId) ?? [];
  if (session_id === '') {
    throw settingFault('target_id', 'target_id must be a chat, or a chat and a topic as <chat>#<topic>', 'target');
  }
  return { session_id, thread_id };
}
