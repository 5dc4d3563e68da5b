import type { ClaimedMessage } from '../../src/core/messages/message.ts';
import type { MessageLedger } from '../../src/core/messages/message-ledger.ts';

/** Claims one message. @param heldBots as for the ledger; null when nothing is due */
export async function claimOne(
  messages: Pick<MessageLedger, 'claim'>,
  heldBots: readonly string[],
): Promise<ClaimedMessage | null> {
  return (await messages.claim({ except: heldBots }, 1))[0] ?? null;
}
