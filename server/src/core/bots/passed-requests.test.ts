import { ParleyError, type WebhookRequest, type WebhookResponse } from '@parley/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallHandlers } from '../replicas/peer-calls.ts';
import { PassedRequests } from './passed-requests.ts';

const bytes = Buffer.from([0, 255, 10]);
const request: WebhookRequest = { method: 'POST', path: 'a', query: { b: 'c' }, headers: { d: 'e' }, body: bytes };

describe('requests that hop to the replica with the connection', () => {
  let holder: string | null;
  let cut: boolean;
  let answer: (bot: string, request: WebhookRequest) => Promise<WebhookResponse>;
  let here: PassedRequests;
  beforeEach(() => {
    vi.useFakeTimers();
    holder = 'other';
    cut = false;
    const handlers = new CallHandlers();
    const handled = { kind: 'replica', id: 'one' } as const;
    const call = async (_: string, name: string, payload: unknown) => {
      if (cut) throw new ParleyError('uncertain', 'cut off');
      const given: unknown = JSON.parse(JSON.stringify(payload));
      const handle = handlers.find(name, given);
      if (handle === null) throw new ParleyError('not_ready', `no such call: ${name}`);
      const { signal } = new AbortController();
      return JSON.parse(JSON.stringify((await handle({ from: 'one', principal: handled, signal })) ?? null));
    };
    const holders = { other: () => holder, call };
    const nowhere = () => Promise.reject(new ParleyError('bot_not_running', 'Not here'));
    new PassedRequests({ holders, callHandlers: handlers, handleHere: (...given) => answer(...given) });
    here = new PassedRequests({ holders, callHandlers: new CallHandlers(), handleHere: nowhere });
  });
  afterEach(() => void vi.useRealTimers());

  it('arrive as they are, and so does the response', async () => {
    answer = async (bot, given) => {
      expect([bot, given]).toEqual(['bot', { ...request, is_passed_on: true }]);
      return { status: 201, content_type: 'text/html', body: 'done' };
    };
    expect(await here.passOn('bot', request)).toEqual({ status: 201, content_type: 'text/html', body: 'done' });
  });

  it.each([true, false])('tell the adapter whether the response was written: %s', async (wasWritten) => {
    const onWritten = vi.fn();
    answer = async () => ({ status: 200, onWritten });
    const response = await here.passOn('bot', request);
    expect(onWritten).not.toHaveBeenCalled();
    response.onWritten?.(wasWritten);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(onWritten.mock.calls).toEqual([[wasWritten]]);
  });

  it('count as not written when no notice arrives in time', async () => {
    const onWritten = vi.fn();
    answer = async () => ({ status: 200, onWritten });
    const response = await here.passOn('bot', request);
    cut = true;
    response.onWritten?.(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(onWritten.mock.calls).toEqual([[false]]);
  });

  it('fail with the error of that adapter, or when no other replica has the bot', async () => {
    answer = () => Promise.reject(new ParleyError('not_found', 'no such stream'));
    await expect(here.passOn('bot', request)).rejects.toMatchObject({ reason: 'not_found' });
    holder = null;
    await expect(here.passOn('bot', request)).rejects.toMatchObject({ reason: 'bot_not_running' });
    const notice = { type: 'bot_added', platform_event_id: '1', session_type: 'group', session_id: 'g' } as const;
    await expect(here.greet('bot', notice)).rejects.toMatchObject({ reason: 'bot_not_running' });
  });
});
