/** Where a message goes: a channel, and a thread in it. */
export interface Place {
  channel: string;
  thread_ts?: string;
}

/** Ends the id of a message that began as a stream: as long as that goes on, it is changed in another way. */
const streamMark = '/stream';

/** The id of a message for its handle. */
export function messageId(channel: string, ts: string, isStream = false): string {
  return `${channel}/${ts}${isStream ? streamMark : ''}`;
}

export function isStreamId(id: string): boolean {
  return id.endsWith(streamMark);
}

/** The id that other messages and events name. */
export function platformMessageId(id: string): string {
  return isStreamId(id) ? id.slice(0, -streamMark.length) : id;
}

/** How the Web API names the message. */
export function addressOf(id: string): { channel: string; ts: string } {
  const [channel = '', ts = ''] = id.split('/');
  return { channel, ts };
}
