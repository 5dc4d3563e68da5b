import { expect, it } from 'vitest';
import { conversationKey, plain } from '../../../test/stores/ledger-records.ts';
import { sent } from '../../../test/stores/ledger-steps.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { StateChange } from '../events/state-events.ts';
import { MessageEvents } from './message-events.ts';

const { bot_uuid } = conversationKey();
const message = {
  uuid: newUuid(),
  bot_uuid,
  conversation_uuid: newUuid(),
  direction: 'inbound' as const,
  message_chain: plain('a secret text'),
};
const { message_chain: _, ...inbound } = message;

const open = () => {
  const changes: StateChange[] = [];
  return { changes, events: new MessageEvents({ publish: (change) => void changes.push(change) }) };
};

it('publishes the state of a message without its text', () => {
  const { changes, events } = open();
  events.publish(message, 'processing');
  events.publish(message, 'received', 'rate_limited');
  expect(changes).toEqual([
    { type: 'message', data: { ...inbound, state: 'processing', reason: null } },
    { type: 'message', data: { ...inbound, state: 'received', reason: 'rate_limited' } },
  ]);
});

it('publishes the answer of a message that ended, then those that were merged into it, then the message', () => {
  const { changes, events } = open();
  const [answer, merged] = [newUuid(), newUuid()];
  events.ended(
    message,
    { state: 'answered', reason: 'answered' },
    { answer: { uuid: answer, piece: 0, delivery: sent }, merged: [merged], record: null },
  );
  expect(changes.map(({ data }) => data)).toEqual([
    { ...inbound, uuid: answer, direction: 'outbound', state: 'sent', reason: null },
    { ...inbound, uuid: merged, state: 'stopped', reason: 'merged' },
    { ...inbound, state: 'answered', reason: 'answered' },
  ]);
});
