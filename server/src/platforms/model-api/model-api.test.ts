import { type MessageChain, type OutgoingMessage, ParleyError } from '@parley/sdk';
import { fakePlatformContext, platformContract } from '@parley/sdk/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { createModelApi } from './index.ts';

const noCallers = { find: () => null, stop: () => undefined };

platformContract({ platform: createModelApi(noCallers), chat: null });

describe('the platform of the model API', () => {
  const gone = new AbortController();
  let shown: MessageChain[];
  let taken: MessageChain[];
  let stopped: number;
  const platform = createModelApi({
    find: (id) =>
      id === 'asked' || id === 'gone'
        ? {
            signal: id === 'gone' ? gone.signal : new AbortController().signal,
            show: (chain) => void shown.push(chain),
            take: (chain) => void taken.push(chain),
          }
        : null,
    stop: () => {
      stopped += 1;
    },
  });
  const outgoing = (id: string | null): OutgoingMessage => ({
    uuid: '1',
    sequence: 2,
    piece: 0,
    created_at: '',
    idempotency_token: '1',
    target: { session_type: 'person', session_id: 'api-key-1', thread_id: 't', pipeline_uuid: null },
    reply_to: id === null ? null : { platform_message_id: id, sender_id: 'api-key-1' },
    message_chain: [{ type: 'Plain', text: 'Hello' }],
  });
  beforeEach(() => {
    shown = [];
    taken = [];
    stopped = 0;
  });

  it('streams and returns answers to the caller', async () => {
    const { create } = await platform.load();
    const adapter = create({}, fakePlatformContext());
    await adapter.start();
    const stream = await adapter.stream?.(outgoing('asked'));
    await stream?.update([{ type: 'Plain', text: 'He' }]);
    await stream?.finish([{ type: 'Plain', text: 'Hello' }]);
    await adapter.send(outgoing('asked'));
    expect(shown).toEqual([[{ type: 'Plain', text: 'He' }]]);
    expect(taken).toEqual([[{ type: 'Plain', text: 'Hello' }], [{ type: 'Plain', text: 'Hello' }]]);
    expect(adapter.attention?.('asked').aborted).toBe(false);
  });

  it('fails without a waiting caller', async () => {
    const { create } = await platform.load();
    const adapter = create({}, fakePlatformContext());
    await adapter.start();
    gone.abort(new ParleyError('client_closed_request', 'x'));
    for (const id of ['unknown', 'gone', null]) {
      await expect(adapter.send(outgoing(id))).rejects.toMatchObject({ reason: 'client_closed_request' });
    }
    for (const id of ['unknown', 'gone']) {
      expect(adapter.attention?.(id).reason).toMatchObject({ reason: 'client_closed_request' });
    }
  });

  it('sends everybody away when it stops, once', async () => {
    const { create } = await platform.load();
    const adapter = create({}, fakePlatformContext());
    await adapter.stop();
    expect(stopped).toBe(0);
    await adapter.start();
    await adapter.stop();
    await adapter.stop();
    expect(stopped).toBe(1);
  });
});
