import { expect, test } from 'vitest';
import { type ChatMessage, type ConversationEvent, emptyConversation, reduceConversation } from './conversation.ts';

function message(id: number, fields: Partial<ChatMessage> = {}): ChatMessage {
  const content = fields.content ?? `message ${id}`;
  return {
    id,
    role: 'assistant',
    content,
    message_chain: [{ type: 'Plain', text: content }],
    timestamp: '2026-01-01T00:00:00.000Z',
    is_final: true,
    ...fields,
  };
}

function after(...events: ConversationEvent[]) {
  return events.reduce(reduceConversation, emptyConversation);
}

const received = (received: ChatMessage, at = 0): ConversationEvent => ({
  type: 'message-received',
  message: received,
  at,
});

test('an answer that grows stays one message, in its place', () => {
  const { messages } = after(
    received(message(2, { content: 'He', is_final: false })),
    received(message(3)),
    received(message(2, { content: 'Hello' })),
  );
  expect(messages.map(({ id, content }) => [id, content])).toEqual([
    [2, 'Hello'],
    [3, 'message 3'],
  ]);
});

test('the history does not undo what came while it was on its way', () => {
  const { messages } = after({ type: 'connected' }, received(message(2, { content: 'Hello' })), {
    type: 'history-loaded',
    messages: [message(1), message(2, { content: 'He', is_final: false })],
  });
  expect(messages.map(({ id, content }) => [id, content])).toEqual([
    [1, 'message 1'],
    [2, 'Hello'],
  ]);
});

test('after a reconnection the history replaces what was shown before it', () => {
  const { messages } = after(
    received(message(1)),
    received(message(2, { content: 'cut o', is_final: false })),
    { type: 'connected' },
    { type: 'history-loaded', messages: [message(2, { content: 'cut off no more' })] },
  );
  expect(messages.map(({ content }) => content)).toEqual(['cut off no more']);
});

test('a written message is outgoing until the server shows it under the same name', () => {
  const written: ConversationEvent[] = [
    { type: 'message-written', message_id: 'a', text: 'one' },
    { type: 'message-written', message_id: 'b', text: 'two' },
  ];
  const echoed = after(...written, received(message(1, { role: 'user', message_id: 'a' }), 5));
  expect(echoed.outgoing.map(({ message_id }) => message_id)).toEqual(['b']);
  expect(echoed.waitingSince).toBe(5);

  const found = after(...written, {
    type: 'history-loaded',
    messages: [message(1, { role: 'user', message_id: 'b' })],
  });
  expect(found.outgoing.map(({ message_id }) => message_id)).toEqual(['a']);
});

test('the wait ends with the first piece of the answer', () => {
  expect(
    after(received(message(1, { role: 'user' }), 5), received(message(2, { is_final: false }))).waitingSince,
  ).toBeNull();
});

test('a refusal marks the message it names, or the oldest one waiting, and a retry takes the mark away', () => {
  const written: ConversationEvent[] = [
    { type: 'message-written', message_id: 'a', text: 'one' },
    { type: 'message-written', message_id: 'b', text: 'two' },
  ];
  const failures = (...events: ConversationEvent[]) =>
    after(...written, ...events).outgoing.map(({ failed }) => failed);
  expect(failures({ type: 'refused', message: 'no', message_id: 'b' })).toEqual([false, true]);
  expect(failures({ type: 'refused', message: 'no' })).toEqual([true, false]);
  expect(failures({ type: 'refused', message: 'no' }, { type: 'refused', message: 'no' })).toEqual([true, true]);
  expect(failures({ type: 'refused', message: 'no' }, { type: 'message-retried', message_id: 'a' })).toEqual([
    false,
    false,
  ]);
});

test('a cleared conversation is empty and known to be', () => {
  const { messages, loaded } = after(received(message(1)), { type: 'cleared' });
  expect(messages).toEqual([]);
  expect(loaded).toBe(true);
});

test('a number that is given again tells that another tab began a new conversation', () => {
  const { messages } = after(
    received(message(1)),
    received(message(2)),
    received(message(1, { timestamp: '2026-01-01T00:01:00.000Z', content: 'again' })),
  );
  expect(messages.map(({ content }) => content)).toEqual(['again']);
});
