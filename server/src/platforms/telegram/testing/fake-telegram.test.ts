import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeFault, type FakeTelegram, startFakeTelegram } from './fake-telegram.ts';
import { ada, incoming } from './fixtures.ts';

/** Waits for a condition, also on a slow machine. */
const eventually = <Value>(actual: () => Value) => expect.poll(actual, { timeout: 10_000 });

let fake: FakeTelegram;
beforeEach(async () => {
  fake = await startFakeTelegram();
});
afterEach(() => fake.close());

const call = async (method: string, parameters: object = {}, token = fake.token) => {
  const response = await fetch(`${fake.apiBaseUrl}/bot${token}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(parameters),
  });
  return { status: response.status, ...((await response.json()) as { result?: never; error_code?: number }) };
};

describe('the fake Bot API server', () => {
  it('knows its bot, and no other', async () => {
    expect(await call('getMe')).toMatchObject({ ok: true, result: { id: 987654321, username: 'parrot_bot' } });
    expect(await call('getMe', {}, '1:other')).toMatchObject({ status: 401, ok: false, description: 'Unauthorized' });
    expect(await call('getMe', {}, 'nonsense')).toMatchObject({ status: 404 });
    expect(await call('getMoon')).toMatchObject({ status: 404 });
    expect(fake.violations).toEqual(['there is no method getMoon']);
    fake.revoke();
    expect(await call('getMe')).toMatchObject({ status: 401 });
  });

  it('returns updates until they are confirmed', async () => {
    const [first, second] = [fake.deliver(incoming({ text: 'a' })), fake.deliver(incoming({ text: 'b' }))];
    const ids = async (parameters: object) =>
      ((await call('getUpdates', parameters)).result as { update_id: number }[] | undefined)?.map(
        ({ update_id }) => update_id,
      );
    expect(await ids({})).toEqual([first, second]);
    expect(await ids({ limit: 1 })).toEqual([first]);
    expect(await ids({ offset: second })).toEqual([second]);
    expect(await ids({})).toEqual([second]);
    expect(await ids({ offset: second + 1 })).toEqual([]);
    expect(fake.pending).toBe(0);
  });

  it('holds a poll open until there is something', async () => {
    const poll = call('getUpdates', { timeout: 20 });
    await eventually(() => fake.calls).toHaveLength(1);
    fake.deliver(incoming({ text: 'a' }));
    expect(await poll).toMatchObject({ result: [{ message: { text: 'a' } }] });
  });

  it('allows one poll at a time, and none with a webhook', async () => {
    const first = call('getUpdates', { timeout: 20 });
    await eventually(() => fake.calls).toHaveLength(1);
    const second = call('getUpdates', { timeout: 20 });
    expect(await first).toMatchObject({ status: 409, description: expect.stringContaining('other getUpdates') });
    fake.setWebhook('http://127.0.0.1:1/');
    expect(await second).toMatchObject({ status: 409, description: expect.stringContaining('webhook is active') });
    await call('deleteWebhook');
    expect(await call('getUpdates')).toMatchObject({ result: [] });
  });

  it('keeps messages as they read now', async () => {
    expect(await call('sendMessage', { chat_id: 1001, text: 'a' })).toMatchObject({ status: 400 });
    fake.addChat(1001);
    const { result } = await call('sendMessage', { chat_id: 1001, text: 'a' });
    const { message_id } = result as unknown as { message_id: number };
    await call('editMessageText', { chat_id: 1001, message_id, text: 'b' });
    expect(fake.messages).toMatchObject([{ message_id, chat_id: 1001, text: 'b', earlier: ['a'] }]);
    for (const [method, parameters] of [
      ['editMessageText', { chat_id: 1001, message_id, text: 'b' }],
      ['editMessageText', { chat_id: 1001, message_id: 1, text: 'b' }],
      ['sendMessage', { chat_id: 1001, text: ' ' }],
      ['sendMessage', { chat_id: 1001, text: 'a'.repeat(4097) }],
      ['sendMessage', { chat_id: 1001, text: 'a', entities: [{ type: 'bold', offset: 0, length: 2 }] }],
    ] as const) {
      expect(await call(method, parameters)).toMatchObject({ status: 400 });
    }
    await call('deleteMessage', { chat_id: 1001, message_id });
    expect(fake.messages).toEqual([]);
    fake.block(1001);
    expect(await call('sendMessage', { chat_id: 1001, text: 'a' })).toMatchObject({ status: 403 });
  });

  it('stores files, and returns them', async () => {
    fake.addChat(1001);
    const form = new FormData();
    form.append('chat_id', '1001');
    form.append('document', 'attach://one');
    form.append('one', new Blob(['hello']), 'hi.txt');
    await fetch(`${fake.apiBaseUrl}/bot${fake.token}/sendDocument`, { method: 'POST', body: form });
    expect(fake.messages[0]?.media).toEqual({
      kind: 'document',
      source: { name: 'hi.txt', content: Buffer.from('hello') },
    });
    fake.addFile('known', Buffer.from('content'));
    expect(await call('getFile', { file_id: 'known' })).toMatchObject({ result: { file_path: 'files/known' } });
    expect(await call('getFile', { file_id: 'unknown' })).toMatchObject({ status: 400 });
    const download = (path: string) => fetch(`${fake.apiBaseUrl}/file/bot${fake.token}/${path}`);
    expect(await (await download('files/known')).text()).toBe('content');
    expect((await download('files/unknown')).status).toBe(404);
  });

  it.each<[FakeFault, number | null]>([
    [{ kind: 'error', code: 429, description: 'Too Many Requests', parameters: { retry_after: 3 } }, 429],
    [{ kind: 'page', status: 502 }, 502],
    [{ kind: 'closed' }, null],
    [{ kind: 'lost' }, null],
  ])('fails on request: %o', async (fault, status) => {
    fake.addChat(1001);
    fake.fail('sendMessage', fault);
    const answer = fetch(`${fake.apiBaseUrl}/bot${fake.token}/sendMessage`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ chat_id: 1001, text: 'a' }),
    });
    if (status === null) await expect(answer).rejects.toThrow();
    else expect((await answer).status).toBe(status);
    expect(fake.messages).toHaveLength(fault.kind === 'lost' ? 1 : 0);
    expect(await call('sendMessage', { chat_id: 1001, text: 'b' })).toMatchObject({ ok: true });
  });

  it('stalls on request, until the client disconnects', async () => {
    fake.fail('getMe', { kind: 'silence' });
    await expect(
      fetch(`${fake.apiBaseUrl}/bot${fake.token}/getMe`, { signal: AbortSignal.timeout(100) }),
    ).rejects.toThrow();
  });

  it('goes away and comes back at the same place, with its state', async () => {
    const update = fake.deliver(incoming({ text: 'a', from: ada }));
    await fake.goAway();
    await expect(call('getMe')).rejects.toThrow();
    await fake.comeBack();
    expect(await call('getUpdates')).toMatchObject({ result: [{ update_id: update }] });
  });
});
