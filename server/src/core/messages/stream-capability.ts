import type { PlatformCapabilities, StreamCapability } from '@parley/sdk';
import type { Message } from './message.ts';

/** How a platform shows answers in a chat while they are generated; undefined when it does not. */
export function streamCapabilityOf(
  { streams, thread_streams }: PlatformCapabilities,
  { session_type, thread_id }: Pick<Message, 'session_type' | 'thread_id'>,
): StreamCapability | undefined {
  return (thread_id === '' ? undefined : thread_streams) ?? streams[session_type];
}
