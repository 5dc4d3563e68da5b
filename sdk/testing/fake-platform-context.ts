import type { MessageEvent, MessageReceipt } from '../src/message-event.ts';
import type { PlatformContext } from '../src/platform.ts';
import { silentLogger } from './silent-logger.ts';

/** A platform context that remembers what it was handed. */
export interface FakePlatformContext extends PlatformContext {
  /** Every event that was handed over, repeats included. */
  received: MessageEvent[];
}

/** Makes a context that stores messages in memory and knows a repeat by its platform message id, as the server does. */
export function fakePlatformContext(overrides: Partial<PlatformContext> = {}): FakePlatformContext {
  const received: MessageEvent[] = [];
  const receipts = new Map<string, MessageReceipt>();
  return {
    received,
    bot_uuid: '00000000-0000-7000-8000-000000000001',
    logger: silentLogger,
    async receive(event) {
      received.push(event);
      const earlier = receipts.get(event.platform_message_id);
      if (earlier !== undefined) return { ...earlier, outcome: 'repeated' };
      const sequence = receipts.size + 1;
      const receipt: MessageReceipt = {
        outcome: 'accepted',
        uuid: `00000000-0000-7000-8000-${sequence.toString(16).padStart(12, '0')}`,
        sequence,
        created_at: new Date().toISOString(),
      };
      receipts.set(event.platform_message_id, receipt);
      return receipt;
    },
    ...overrides,
  };
}
