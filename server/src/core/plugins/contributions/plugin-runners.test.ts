import type { Runner, RunnerContext, RunnerRequest } from '@parley/sdk';
import { expect, it } from 'vitest';
import { collected } from '../../../../test/factories/channel-pair.ts';
import { contributingPlugin } from '../../../../test/factories/contributing-plugin.ts';
import { pluginMessage } from '../../../../test/factories/plugin-host-calls.ts';
import { runnersOf } from './plugin-runners.ts';

const config = { type: 'object' as const, properties: {} };
const image = { type: 'Image', path: 'stored/a.png' };
const message = { ...pluginMessage, message_chain: [image as never] };

function set(deltas: (signal: AbortSignal) => AsyncIterable<unknown>) {
  const runners = [{ name: 'units', label: { en_US: 'Units' }, config }];
  const used = contributingPlugin({ runners }, (_, { signal }) => deltas(signal));
  const [runner] = runnersOf(used.plugin, used.calls);
  const answer = (over: Partial<RunnerRequest> = {}) => {
    const asked = {
      message,
      text: 'Hello',
      config: { a: 1 },
      prompt: [],
      history: [],
      knowledge_bases: ['b'],
      variables: {},
    };
    const signal = new AbortController().signal;
    // What is read of it.
    const request = { ...asked, message_chain: [], signal, ...over } as unknown as RunnerRequest;
    return (runner as Runner).answer(request, {} as RunnerContext);
  };
  return { ...used, runner, answer };
}

it('a runner answers in deltas, with attachments', async () => {
  const said = [
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text: 'Hel' },
    { type: 'text', text: 'lo' },
    { type: 'attachment', element: image },
  ];
  const { runner, answer, requests, points } = set(async function* () {
    yield* said;
  });
  expect(runner).toMatchObject({ name: 'units', config });
  expect(await collected(answer())).toEqual(said);
  expect(points).toEqual(['runner:units']);
  const [{ parameters } = { parameters: {} }] = requests;
  expect(parameters).toMatchObject({ name: 'units', attempt: 1, request: { text: 'Hello', config: { a: 1 } } });
  // It gets no functions, and only what the contract names.
  expect(Object.keys((parameters as { request: object }).request).sort()).toEqual([
    'config',
    'history',
    'knowledge_bases',
    'message_chain',
    'prompt',
    'text',
    'variables',
  ]);
});

it.each<[string, unknown, string]>([
  ['nothing', null, 'plugin_response_invalid'],
  ['a text alone', 'Hello', 'plugin_response_invalid'],
  ['another kind', { type: 'tool', text: 'a' }, 'plugin_response_invalid'],
  ['a text that is none', { type: 'text', text: 1 }, 'plugin_response_invalid'],
  ['another field', { type: 'text', text: 'a', html: 'b' }, 'plugin_response_invalid'],
  ['a text of over 1,000,000 characters', { type: 'text', text: 'a'.repeat(1_000_001) }, 'plugin_response_invalid'],
  ['an attachment of no kind', { type: 'attachment', element: { type: 'Virus' } }, 'plugin_response_invalid'],
  [
    'a file of another message',
    { type: 'attachment', element: { type: 'Image', path: 'stored/b.png' } },
    'plugin_response_invalid',
  ],
])('a delta with %s ends the answer, and the call', async (_, delta, reason) => {
  let isEnded = false;
  const { answer } = set(async function* () {
    try {
      yield { type: 'text', text: 'a' };
      yield delta;
      yield { type: 'text', text: 'never read' };
    } finally {
      isEnded = true;
    }
  });
  const read: unknown[] = [];
  const reading = (async () => {
    for await (const each of answer()) read.push(each);
  })();
  await expect(reading).rejects.toMatchObject({ reason });
  expect([read, isEnded]).toEqual([[{ type: 'text', text: 'a' }], true]);
});

it('an answer without end is ended', async () => {
  let deltas = 0;
  const { answer } = set(async function* () {
    for (;;) {
      deltas += 1;
      yield { type: deltas % 2 === 0 ? 'text' : 'reasoning', text: 'a'.repeat(1_000_000) };
    }
  });
  await expect(collected(answer())).rejects.toMatchObject({ reason: 'too_large' });
  expect(deltas).toBe(5);
});

it('a call ends with its reader, and with the signal', async () => {
  const ended: string[] = [];
  const { answer } = set(async function* (signal) {
    try {
      yield { type: 'text', text: 'a' };
      signal.throwIfAborted();
      yield { type: 'text', text: 'b' };
    } finally {
      ended.push(signal.aborted ? 'aborted' : 'left');
    }
  });
  for await (const _ of answer()) break;
  const stopping = new AbortController();
  const reason = new Error('the user cancelled');
  const reading = (async () => {
    for await (const _ of answer({ signal: stopping.signal })) stopping.abort(reason);
  })();
  await expect(reading).rejects.toBe(reason);
  expect(ended).toEqual(['left', 'aborted']);
});

it('a runner of a plugin that was disabled fails', async () => {
  const { answer, disable } = set(async function* () {
    yield { type: 'text', text: 'a' };
  });
  disable();
  await expect(collected(answer())).rejects.toMatchObject({ reason: 'plugin_not_running' });
});
