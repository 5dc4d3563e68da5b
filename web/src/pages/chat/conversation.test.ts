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

/** Written in the order of their ids. */
const written = (message_id: string, text: string): ConversationEvent => ({
  type: 'message-written',
  message: { message_id, text, written_at: message_id.charCodeAt(0), failed: false },
});

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
  const both = [written('a', 'one'), written('b', 'two')];
  const echoed = after(...both, received(message(1, { role: 'user', message_id: 'a' }), 5));
  expect(echoed.outgoing.map(({ message_id }) => message_id)).toEqual(['b']);
  expect(echoed.waitingSince).toBe(5);

  const found = after(...both, {
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
  const both = [written('a', 'one'), written('b', 'two')];
  const failures = (...events: ConversationEvent[]) => after(...both, ...events).outgoing.map(({ failed }) => failed);
  expect(failures({ type: 'refused', message: 'no', message_id: 'b' })).toEqual([false, true]);
  expect(failures({ type: 'refused', message: 'no' })).toEqual([true, false]);
  expect(failures({ type: 'refused', message: 'no' }, { type: 'refused', message: 'no' })).toEqual([true, true]);
  expect(failures({ type: 'refused', message: 'no' }, { type: 'message-retried', message_id: 'a' })).toEqual([
    false,
    false,
  ]);
});

test('a refusal names the file that the server no longer has, and the message keeps its text', () => {
  const files = [
    { file_key: 'one', name: 'plan.pdf', size: 1, is_image: false },
    { file_key: 'two', name: 'photo.png', size: 2, is_image: true },
  ];
  const event = written('a', 'Look') as Extract<ConversationEvent, { type: 'message-written' }>;
  const refused = { type: 'refused', message: 'no', reason: 'invalid_request', message_id: 'a' } as const;
  const both = { ...event, message: { ...event.message, attachments: files } };
  const { error, outgoing } = after(both, { ...refused, missing_file: 'two' });
  expect(error).toEqual({ message: 'no', reason: 'invalid_request', missingFile: 'photo.png' });
  expect(outgoing).toMatchObject([{ text: 'Look', failed: true, attachments: files }]);
  expect(after(both, { ...refused, missing_file: 'other' }).error).not.toHaveProperty('missingFile');
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

test('restored messages join those that are outgoing, in the order they were written, each once', () => {
  const restored = (message_id: string) => ({
    message_id,
    text: 'old',
    written_at: message_id.charCodeAt(0),
    failed: true,
  });
  const { outgoing } = after(written('b', 'two'), {
    type: 'messages-restored',
    messages: [restored('c'), restored('a'), restored('b')],
  });
  expect(outgoing.map(({ message_id, text }) => [message_id, text])).toEqual([
    ['a', 'old'],
    ['b', 'two'],
    ['c', 'old'],
  ]);
});

test('no answer is expected to a repeated message that was answered', () => {
  const question = message(1, { role: 'user', message_id: 'a' });
  const { waitingSince, outgoing } = after(
    written('a', 'one'),
    { type: 'history-loaded', messages: [message(1, { role: 'user' }), message(2)] },
    received(question, 5),
  );
  expect(waitingSince).toBeNull();
  expect(outgoing).toEqual([]);
});

const question = (id: number, fields: Partial<ChatMessage> = {}) =>
  message(id, { role: 'user', uuid: `uuid-${id}`, ...fields });

test('a question waits until its answer is complete, or stopped', () => {
  const waiting = after(received(question(1)), received(question(2)));
  expect(waiting.messages.map(({ is_pending }) => is_pending)).toEqual([true, true]);
  const first = [received(message(3, { is_final: false })), received(message(3))].reduce(reduceConversation, waiting);
  expect(first.messages.map(({ is_pending }) => is_pending)).toEqual([false, true, undefined]);
  // So that it can be stopped before its answer begins.
  expect(first.waitingSince).not.toBeNull();
  const asked = reduceConversation(first, { type: 'stop-requested' });
  expect(asked.stopping).toBe(true);
  const stopped = reduceConversation(asked, { type: 'stopped', last_id: 2 });
  expect(stopped).toMatchObject({ stopping: false, waitingSince: null });
  expect(stopped.messages.map(({ is_stopped }) => is_stopped)).toEqual([undefined, true, undefined]);
});

test('a stop leaves questions behind it alone', () => {
  const { messages, waitingSince } = after(received(question(1), 5), received(question(2), 6), {
    type: 'stopped',
    last_id: 1,
  });
  expect(messages).toMatchObject([{ is_stopped: true }, { is_pending: true }]);
  expect(waitingSince).toBe(6);
});

test('a question that waits is known from the history, and an answer that came meanwhile is not lost', () => {
  const loaded = after(
    { type: 'connected' },
    { type: 'history-loaded', messages: [question(1, { is_pending: true })] },
  );
  expect(loaded.waitingSince).toBe(Date.parse('2026-01-01T00:00:00.000Z'));
  const { messages } = after({ type: 'connected' }, received(question(1)), received(message(2)), {
    type: 'history-loaded',
    messages: [question(1, { is_pending: true })],
  });
  expect(messages[0]?.is_pending).toBe(false);
});

test('a message that replaces another takes everything since then out', () => {
  const { messages } = after(
    received(question(1)),
    received(message(2)),
    received(question(3)),
    received(message(4, { is_final: false })),
    received(question(5, { replaces: 'uuid-3' })),
    received(message(4)),
    received(message(6)),
  );
  expect(messages.map(({ is_replaced = false }) => is_replaced)).toEqual([false, false, true, true, false, false]);
  expect(messages.map(({ is_pending = false }) => is_pending)).toEqual(Array(6).fill(false));
});
