import type { MessageEvent } from '@parley/sdk';
import { beforeAll } from 'vitest';
import type { DeliveryOutcome } from '../../src/core/messages/delivery.ts';
import type { Answer, ClaimedPart } from '../../src/core/messages/delivery-ledger.ts';
import { type ClaimedMessage, claimOf, type MessageClaim } from '../../src/core/messages/message.ts';
import type { MessageOutcome } from '../../src/core/messages/message-ledger.ts';
import type { MessageRecord } from '../../src/core/messages/message-trace.ts';
import { type Ledger, openLedger } from '../../src/storage/messages/open-ledger.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { claimOne } from './claim-one.ts';
import { conversationKey, messageEvent, plain } from './ledger-records.ts';

export const answered: MessageOutcome = { state: 'answered', reason: 'answered' };
export const sent: DeliveryOutcome = { state: 'sent', reason: null, error: null, platform_message_id: null };
export const noRecord: MessageRecord = {
  trace: { attempt: 1, gates: [] },
  model_calls: [],
};

/** A complete answer of one piece for each text. */
export function answerOf(texts: string | readonly string[], over: Partial<Answer> = {}): Answer {
  const parts = typeof texts === 'string' ? [texts] : texts;
  return {
    pieces: parts.map((text) => plain(text)),
    text: parts.join(''),
    state: 'finished',
    outcome: answered,
    merged: [],
    ...over,
  };
}

/** @param claim of the message that is answered, or of the unsolicited message itself */
export function partOf(answer_uuid: string, piece: number, claim: MessageClaim): ClaimedPart {
  return { answer_uuid, piece, claim: claimOf(claim) };
}

export const times = <Result>(count: number, make: (index: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

/** Common steps of ledger tests. Conversations are identified by the name of the user. */
export function ledgerSteps(storage: () => Storage) {
  let opened: Ledger;
  beforeAll(async () => {
    opened = await openLedger(storage(), { webhookWaitMs: 0, mayTellWebhooks: () => false });
  });
  const ledger = () => opened;
  const claimed = async (heldBots: readonly string[] = []): Promise<ClaimedMessage> => {
    const message = await claimOne(ledger().messages, heldBots);
    if (message === null) throw new Error('nothing was waiting');
    return message;
  };
  const end = (message: ClaimedMessage, outcome: MessageOutcome = answered, merged: string[] = []) =>
    ledger().messages.settle(message, outcome, { answer: null, merged, record: null });
  return {
    ledger,
    accept: (text: string, person = 'ada', over: Partial<MessageEvent> = {}) =>
      ledger().messages.accept(
        conversationKey({ session_id: person }),
        messageEvent(text, { session_id: person, ...over }),
      ),
    claimed,
    /** Ends a message without an answer. */
    end,
    /** Answers a message in one piece, to the end. @returns the uuid of the answer */
    answer: async (message: ClaimedMessage, text: string, merged: string[] = []) => {
      const { message: answer } = await ledger().deliveries.finishAnswer(message, answerOf(text, { merged }), noRecord);
      const { uuid } = answer;
      await ledger().messages.settle(message, answered, {
        answer: { uuid, piece: 0, delivery: sent },
        merged: [],
        record: null,
      });
      return uuid;
    },
    /** State of each delivery, by `<text of its message> <piece>`. */
    deliveries: async (): Promise<Record<string, string>> => {
      const rows = await storage()
        .database.selectFrom('deliveries')
        .innerJoin('messages', 'messages.uuid', 'deliveries.message_uuid')
        .select(['text', 'piece', 'deliveries.state'])
        .orderBy('messages.position')
        .orderBy('piece')
        .execute();
      return Object.fromEntries(rows.map(({ text, piece, state }) => [`${text} ${piece}`, state]));
    },
    messageRows: () => storage().database.selectFrom('messages').selectAll().orderBy('position').execute(),
    conversationOf: async (person = 'ada') => {
      const conversation = await ledger().conversations.current(conversationKey({ session_id: person }));
      if (conversation === null) throw new Error('there is no conversation');
      return conversation;
    },
  };
}
