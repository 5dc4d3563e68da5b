import { act, renderHook, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type FakeServer, refusal, startFakeServer, unreachable } from '../../../testing/fake-server.ts';
import { type FakeSocket, fakeSockets } from '../../../testing/fake-sockets.ts';
import { english } from '../../../testing/texts.ts';
import { accountStorage } from '../../lib/account-storage.ts';
import { notify } from '../../lib/notify.ts';
import { session } from '../../lib/session.ts';
import type { ChatMessage } from './conversation.ts';
import { type SessionType, useConversation } from './use-conversation.ts';

const history = '/api/v1/pipelines/{pipeline_uuid}/ws/messages/{session_type}';

let server: FakeServer;
let sockets: FakeSocket[];
/** What the server has stored. */
let stored: ChatMessage[];

beforeEach(() => {
  server = startFakeServer();
  sockets = fakeSockets();
  stored = [];
  accountStorage.use('ada');
  server.on('get', history, () => ({ messages: stored as never }));
  server.on('get', '/api/v1/user/check-token', { token: '' });
});

function message(id: number, role: ChatMessage['role'], content: string, part: Partial<ChatMessage> = {}): ChatMessage {
  const message_chain = [{ type: 'Plain', text: content }];
  return { id, role, content, message_chain, timestamp: `2026-05-01T00:00:0${id}Z`, is_final: true, ...part };
}

/** Frames about a message. */
const frame = (data: ChatMessage, session_type: SessionType = 'person') => ({
  type: data.role === 'user' ? 'user_message' : 'response',
  session_type,
  data,
});

const latest = () => sockets.at(-1) as FakeSocket;

async function join(sessionType: SessionType = 'person') {
  const { result, unmount } = renderHook(() => useConversation('p1', sessionType));
  const receive = (...frames: object[]) => act(() => frames.map((one) => latest().receive(one)));
  const connect = async () => {
    const before = server.calls.length;
    act(() => latest().accept());
    await waitFor(() => expect(server.calls.length).toBeGreaterThan(before));
    await waitFor(() => expect(result.current.loaded || result.current.loadError !== null).toBe(true));
  };
  /** Loses the connection, and returns at once. */
  const reconnect = async () => {
    const lost = sockets.length;
    act(() => latest().drop());
    act(() => void window.dispatchEvent(new Event('online')));
    await waitFor(() => expect(sockets.length).toBeGreaterThan(lost));
    await connect();
  };
  await connect();
  return { chat: () => result.current, receive, connect, reconnect, leave: unmount };
}

/** The server is down: no attempt to connect succeeds. */
function openWithoutServer(sessionType: SessionType = 'person') {
  const { result, unmount } = renderHook(() => useConversation('p1', sessionType));
  return { chat: () => result.current, leave: unmount };
}

const sentTexts = (socket: FakeSocket) =>
  (socket.sent as { message?: { text: string }[] }[]).map((one) => one.message?.[0]?.text);

describe('a conversation', () => {
  it.each(['person', 'group'] as const)('of the session type %s is its own', async (type) => {
    await join(type);
    expect(latest().url).toBe(`ws://localhost:3000/api/v1/pipelines/p1/ws/connect?session_type=${type}`);
    expect(server.calls.map(({ path }) => path)).toEqual([`/api/v1/pipelines/p1/ws/messages/${type}`]);
  });

  it('begins with its history, oldest first', async () => {
    stored = [message(2, 'assistant', 'hello'), message(1, 'user', 'hi')];
    const { chat } = await join();
    expect(chat().messages.map(({ content }) => content)).toEqual(['hi', 'hello']);
    expect(chat()).toMatchObject({ connection: 'open', waitingSince: null });
  });

  it('shows why the history could not be loaded, until it could', async () => {
    server.on('get', history, refusal(503, 'overloaded'));
    const { chat } = await join();
    expect(chat().loadError).toMatchObject({ status: 503, reason: 'overloaded' });
    server.on('get', history, { messages: [] });
    await act(() => chat().load());
    expect(chat()).toMatchObject({ loadError: null, loaded: true });
  });

  it('shows an answer while it is written', async () => {
    const { chat, receive } = await join();
    receive(frame(message(1, 'user', 'hi')));
    expect(chat().waitingSince).not.toBeNull();
    receive(frame(message(2, 'assistant', 'hel', { is_final: false })));
    receive(frame(message(2, 'assistant', 'hello')));
    expect(chat().messages.map(({ content }) => content)).toEqual(['hi', 'hello']);
    expect(chat().waitingSince).toBeNull();
  });

  it('ignores messages of the other session type', async () => {
    const { chat, receive } = await join();
    receive(frame(message(1, 'user', 'to the group'), 'group'));
    expect(chat().messages).toEqual([]);
  });

  it.each([
    ['a text', 'Maintenance at noon'],
    ['an object', '{"at":"noon"}'],
  ])('shows a broadcast that is %s, until it is dismissed', async (_, text) => {
    const { chat, receive } = await join();
    receive({ type: 'broadcast', message: text.startsWith('{') ? JSON.parse(text) : text });
    expect(chat().notice).toBe(text);
    act(() => chat().dismiss());
    expect(chat().notice).toBeNull();
  });

  it('is empty after it was cleared, on the server first', async () => {
    stored = [message(1, 'user', 'hi')];
    server.on('post', '/api/v1/pipelines/{pipeline_uuid}/ws/reset/{session_type}', {} as never);
    const { chat } = await join();
    await act(() => chat().clear());
    expect(chat().messages).toEqual([]);
    expect(server.callsTo('post', '/api/v1/pipelines/p1/ws/reset/person')).toHaveLength(1);
  });

  it('stays as it is if it cannot be cleared', async () => {
    stored = [message(1, 'user', 'hi')];
    server.on('post', '/api/v1/pipelines/{pipeline_uuid}/ws/reset/{session_type}', refusal(403, 'forbidden'));
    const { chat } = await join();
    await expect(act(() => chat().clear())).rejects.toMatchObject({ reason: 'forbidden' });
    expect(chat().messages).toHaveLength(1);
  });
});

describe('a message of the user', () => {
  it('is pending until the server has stored it', async () => {
    const { chat, receive } = await join();
    act(() => chat().send('hi'));
    const [pending] = chat().outgoing;
    expect(pending).toMatchObject({ text: 'hi', failed: false });
    receive(frame(message(1, 'user', 'hi', { message_id: `${pending?.message_id}` })));
    expect(chat().outgoing).toEqual([]);
    expect(chat().messages).toHaveLength(1);
  });

  it('that was refused is marked, and can be sent again under the same id', async () => {
    const { chat, receive } = await join();
    act(() => chat().send('hi'));
    const id = chat().outgoing[0]?.message_id as string;
    receive({ type: 'error', message: 'refused', reason: 'too_many_requests', message_id: id });
    expect(chat()).toMatchObject({ outgoing: [{ failed: true }], error: { reason: 'too_many_requests' } });
    act(() => chat().sendAgain(id));
    expect(chat()).toMatchObject({ outgoing: [{ failed: false }], error: null });
    expect(latest().sent.map((one) => (one as { message_id: string }).message_id)).toEqual([id, id]);
  });

  it('written while the connection is lost is sent when it is back, once', async () => {
    const { chat, reconnect } = await join();
    act(() => latest().drop());
    act(() => chat().send('hi'));
    await reconnect();
    expect(sockets.map(sentTexts)).toEqual([[], ['hi']]);
  });

  it('that was not confirmed is sent again after a loss, but not one that was refused', async () => {
    const { chat, receive, reconnect } = await join();
    act(() => chat().send('refused'));
    receive({ type: 'error', message: 'refused', message_id: chat().outgoing[0]?.message_id });
    act(() => chat().send('pending'));
    await reconnect();
    expect(sentTexts(latest())).toEqual(['pending']);
  });

  it('that the history has is not pending any more', async () => {
    const { chat, reconnect } = await join();
    act(() => chat().send('hi'));
    stored = [message(1, 'user', 'hi', { message_id: chat().outgoing[0]?.message_id as string })];
    await reconnect();
    await waitFor(() => expect(chat().outgoing).toEqual([]));
    expect(chat().messages).toHaveLength(1);
  });
});

describe('a message that was not sent', () => {
  const accept = () => act(() => latest().accept());
  const sentIds = (socket: FakeSocket) => socket.sent.map((one) => (one as { message_id: string }).message_id);
  const texts = (chat: () => ReturnType<typeof useConversation>) => chat().outgoing.map(({ text }) => text);

  it('is sent when the user has left the page and comes back, under the same id', async () => {
    const { chat, leave } = openWithoutServer();
    act(() => chat().send('hi'));
    const id = chat().outgoing[0]?.message_id;
    leave();
    const { chat: again } = openWithoutServer();
    expect(again().outgoing).toMatchObject([{ message_id: id, text: 'hi', failed: false }]);
    accept();
    expect(sentIds(latest())).toEqual([id]);
  });

  it('is sent after those that were written before, also when the clock was set back', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { chat, leave } = openWithoutServer();
    act(() => chat().send('one'));
    act(() => chat().send('two'));
    vi.setSystemTime(Date.now() - 3_600_000);
    act(() => chat().send('three'));
    leave();
    const { chat: again, leave: leaveAgain } = openWithoutServer();
    act(() => again().send('four'));
    leaveAgain();
    openWithoutServer();
    accept();
    expect(sentTexts(latest())).toEqual(['one', 'two', 'three', 'four']);
  });

  it('is kept until the server has stored it', async () => {
    const { chat, leave } = openWithoutServer();
    act(() => chat().send('hi'));
    const message_id = chat().outgoing[0]?.message_id as string;
    accept();
    leave();
    const { chat: again, leave: leaveAgain } = openWithoutServer();
    expect(texts(again)).toEqual(['hi']);
    accept();
    act(() => latest().receive(frame(message(1, 'user', 'hi', { message_id }))));
    expect(again().outgoing).toEqual([]);
    leaveAgain();
    expect(openWithoutServer().chat().outgoing).toEqual([]);
  });

  it('can be removed, and is not sent then', async () => {
    const { chat, leave } = openWithoutServer();
    act(() => chat().send('one'));
    act(() => chat().send('two'));
    act(() => chat().remove(chat().outgoing[0]?.message_id as string));
    expect(texts(chat)).toEqual(['two']);
    leave();
    openWithoutServer();
    accept();
    expect(sentTexts(latest())).toEqual(['two']);
  });

  it('that was refused is not sent again by itself', async () => {
    const { chat, receive, leave } = await join();
    act(() => chat().send('hi'));
    receive({ type: 'error', message: 'refused', message_id: chat().outgoing[0]?.message_id });
    leave();
    const { chat: again } = openWithoutServer();
    expect(again().outgoing).toMatchObject([{ text: 'hi', failed: true }]);
    accept();
    expect(latest().sent).toEqual([]);
    act(() => again().sendAgain(again().outgoing[0]?.message_id as string));
    expect(sentTexts(latest())).toEqual(['hi']);
  });

  it('stays when a new conversation is started', async () => {
    server.on('post', '/api/v1/pipelines/{pipeline_uuid}/ws/reset/{session_type}', {} as never);
    const { chat } = await join();
    act(() => latest().drop());
    act(() => chat().send('hi'));
    await act(() => chat().clear());
    expect(texts(chat)).toEqual(['hi']);
  });

  it('belongs to its conversation', async () => {
    const { chat, leave } = openWithoutServer('person');
    act(() => chat().send('hi'));
    leave();
    expect(openWithoutServer('group').chat().outgoing).toEqual([]);
    expect(renderHook(() => useConversation('p2', 'person')).result.current.outgoing).toEqual([]);
    expect(texts(openWithoutServer('person').chat)).toEqual(['hi']);
  });

  it('is neither shown to another account nor kept after signing out', async () => {
    const { chat, leave } = openWithoutServer();
    act(() => chat().send('hi'));
    leave();
    accountStorage.use('bob');
    expect(openWithoutServer().chat().outgoing).toEqual([]);
    accountStorage.use('ada');
    const { chat: next, leave: leaveNext } = openWithoutServer();
    act(() => next().send('hello'));
    leaveNext();
    accountStorage.clear();
    accountStorage.use('ada');
    expect(openWithoutServer().chat().outgoing).toEqual([]);
  });

  it('is not sent in the name of another account that signed in meanwhile', async () => {
    const { chat } = await join();
    act(() => latest().drop());
    act(() => chat().send('hi'));
    act(() => session.begin());
    await waitFor(() => expect(sockets).toHaveLength(2));
    act(() => {
      latest().readyState = 1;
      latest().receive({ type: 'connected', connection_id: 'c2', person_id: 'another' });
    });
    expect(latest().sent).toEqual([]);
    expect(chat().outgoing).toEqual([]);
    await waitFor(() => expect(chat().loaded).toBe(true));
  });

  it('of another tab is sent under the same id, and leaves with it', async () => {
    const first = openWithoutServer();
    const second = openWithoutServer();
    act(() => first.chat().send('hi'));
    const id = first.chat().outgoing[0]?.message_id as string;
    accept();
    expect(second.chat().outgoing).toMatchObject([{ message_id: id }]);
    expect(sentIds(latest())).toEqual([id]);
    // Storage events reach the other tabs alone; here both are in one.
    act(() => first.chat().remove(id));
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: `kept:ada:chat:p1:person:message:${id}` })));
    expect(second.chat().outgoing).toEqual([]);
  });

  it.each(['null', '7', '{}', '{"at":1e15,"value":{"text":7,"written_at":1}}', '{"at":1e15,"value":{"text":"hi"}}'])(
    'is none when the browser has %s in its place',
    async (text) => {
      localStorage.setItem('kept:ada:chat:p1:person:message:m1', text);
      expect(openWithoutServer().chat().outgoing).toEqual([]);
      accept();
      expect(latest().sent).toEqual([]);
    },
  );

  it('and cannot be stored is sent as long as the page is open, and the user is warned once', async () => {
    accountStorage.clear();
    const warn = vi.spyOn(notify, 'warn').mockReturnValue();
    const { chat } = await join();
    act(() => chat().send('at once'));
    expect(warn).not.toHaveBeenCalled();
    act(() => latest().drop());
    act(() => chat().send('later'));
    expect(warn.mock.calls).toEqual([[english.chat.notKept]]);
    act(() => void window.dispatchEvent(new Event('online')));
    await waitFor(() => expect(sockets).toHaveLength(2));
    accept();
    expect(sentTexts(latest())).toEqual(['at once', 'later']);
    expect(warn).toHaveBeenCalledTimes(1);
  });
});

it('the connection is opened again after a new sign-in', async () => {
  session.begin();
  const { chat } = await join();
  server.on('get', '/api/v1/user/check-token', refusal(401, 'unauthorized'));
  act(() => latest().drop());
  act(() => void window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(session.current()).toBeNull());
  act(() => chat().send('hi'));
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1000 });
  act(() => session.begin());
  expect(sockets).toHaveLength(2);
  act(() => latest().accept());
  expect(sentTexts(latest())).toEqual(['hi']);
});

describe('after a loss', () => {
  it('what was missed is loaded', async () => {
    const { chat, reconnect } = await join();
    stored = [message(1, 'user', 'from a phone'), message(2, 'assistant', 'hello')];
    await reconnect();
    await waitFor(() => expect(chat().messages).toHaveLength(2));
  });

  it('no answer is expected that came meanwhile', async () => {
    const { chat, receive, reconnect } = await join();
    const question = message(1, 'user', 'hi');
    receive(frame(question));
    expect(chat().waitingSince).not.toBeNull();
    stored = [question, message(2, 'assistant', 'hello')];
    await reconnect();
    await waitFor(() => expect(chat().messages).toHaveLength(2));
    expect(chat().waitingSince).toBeNull();
  });

  it('an answer is still expected that has not come', async () => {
    const { chat, receive, reconnect } = await join();
    const question = message(1, 'user', 'hi');
    receive(frame(question));
    stored = [question];
    await reconnect();
    await waitFor(() => expect(server.calls.filter(({ path }) => path.includes('/messages/'))).toHaveLength(2));
    expect(chat().waitingSince).not.toBeNull();
  });

  it('an ended session ends the attempts', async () => {
    session.begin();
    const { chat } = await join();
    server.on('get', '/api/v1/user/check-token', refusal(401, 'unauthorized'));
    act(() => latest().drop());
    act(() => void window.dispatchEvent(new Event('online')));
    await waitFor(() => expect(session.current()).toBeNull());
    expect(session.hasExpired()).toBe(true);
    expect(chat().connection).toBe('lost');
    expect(sockets).toHaveLength(1);
  });

  it.each([
    ['cannot be reached', unreachable],
    ['is not ready', refusal(503, 'not_ready')],
  ])('there are more attempts while the server %s', async (_, answer) => {
    session.begin();
    await join();
    server.on('get', '/api/v1/user/check-token', answer);
    act(() => latest().drop());
    act(() => void window.dispatchEvent(new Event('online')));
    await waitFor(() => expect(sockets).toHaveLength(2));
    expect(session.current()).not.toBeNull();
  });
});
