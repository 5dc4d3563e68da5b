import { DeliveryError, type MessageChain, ParleyError, type RunnerDelta } from '@parley/sdk';
import { fakeLanguageModel } from '@parley/sdk/testing';
import { afterEach, describe, expect, it } from 'vitest';
import type { ScriptedCall, ScriptedPlugin } from '../../../test/factories/scripted-plugins.ts';
import { recordingPlatform } from '../../../test/stores/ledger-fixture.ts';
import {
  openProcessorFixture,
  type ProcessorFixture,
  type ProcessorSetting,
  processed as process,
} from '../../../test/stores/processor-fixture.ts';
import { afterDeath } from '../../../test/stores/replicas.ts';
import { hostModels } from '../../plugin-host/host/host-models.ts';

const text = (piece: string): RunnerDelta => ({ type: 'text', text: piece });
const plain = (said: string): MessageChain => [{ type: 'Plain', text: said }];
const said = (event: { message_chain: MessageChain }) => (event.message_chain[0] as { text: string }).text;
/** Appends to the text. */
const adds = (more: string) => (event: { message_chain: MessageChain }) => ({
  action: 'change',
  message_chain: plain(said(event) + more),
});
const fails = () => {
  throw new ParleyError('plugin_crashed', 'It ended');
};

describe('listeners of plugins', () => {
  const open: ProcessorFixture[] = [];
  afterEach(async () => {
    for (const fixture of open.splice(0)) await fixture.close();
  });
  const set = async (plugins: readonly ScriptedPlugin[], setting: ProcessorSetting = {}) => {
    const fixture = await openProcessorFixture({ says: [text('Hi')], ...setting, plugins });
    open.push(fixture);
    return fixture;
  };
  const steps = (gates: object[]) =>
    (gates as { name: string; outcome: string; reason: string | null; details: { plugin: string; point: string } }[])
      .filter(({ name }) => name === 'plugin')
      .map(({ outcome, reason, details }) => `${details.plugin} ${details.point}: ${outcome} ${reason}`);

  it('are called in the order of the points and of the operator, each on the result of the one before', async () => {
    const listeners = { received: adds('1'), question: adds('2'), answer: adds('3'), sent: () => undefined };
    const used = await set([{ listeners }, { listeners: { ...listeners, received: adds('+') } }]);
    const { question, answer, gates, shown } = await process(used);
    expect(used.requests[0]?.text).toBe('Hello1+22');
    expect(shown).toEqual(['=Hi33']);
    expect(answer?.text).toBe('Hi33');
    expect(question).toMatchObject({ state: 'answered', text: 'Hello' });
    await expect
      .poll(() => used.plugins.calls)
      .toEqual(
        ['received', 'question', 'answer', 'sent'].flatMap((point) => [
          `example/plugin-1 ${point}`,
          `example/plugin-2 ${point}`,
        ]),
      );
    expect(steps(gates)).toEqual(
      ['received', 'question', 'answer'].flatMap((point) =>
        [1, 2].map((number) => `example/plugin-${number} ${point}: changed changed_by_plugin`),
      ),
    );
  });

  it('that let a message pass change nothing, and leave streaming on', async () => {
    const listeners = {
      received: () => null,
      prompt: () => undefined,
      question: () => undefined,
      sent: () => undefined,
    };
    const used = await set([{ listeners }], { says: [text('H'), text('i')] });
    const { shown, gates } = await process(used);
    expect(shown).toEqual(['+H', '+Hi', '=Hi']);
    expect(steps(gates)[0]).toBe('example/plugin-1 received: passed null');
  });

  it('of the answer turn streaming off', async () => {
    const used = await set([{ listeners: { answer: () => null } }], { says: [text('H'), text('i')] });
    expect((await process(used)).shown).toEqual(['=Hi']);
  });

  it('are not called for pipelines that do not use their plugin', async () => {
    const used = await set([{ listeners: { received: adds('1') } }, { listeners: { received: adds('2') } }]);
    const plugins = [{ author: 'example', name: 'plugin-2' }];
    await used.pipelines.update(used.pipelineUuid, {
      extensions_preferences: { enable_all_plugins: false, plugins },
    });
    await process(used);
    expect(used.requests[0]?.text).toBe('Hello2');
  });

  it.each(['received', 'answer'] as const)('stop a message at %s', async (point) => {
    const used = await set([
      { listeners: { [point]: () => ({ action: 'stop' }) } },
      { listeners: { [point]: adds('x') } },
    ]);
    const { question, answer, shown, gates } = await process(used);
    expect(question).toMatchObject({ state: 'stopped', reason: 'stopped_by_plugin' });
    expect([answer, shown]).toEqual([undefined, []]);
    expect(steps(gates)).toEqual([`example/plugin-1 ${point}: stopped stopped_by_plugin`]);
  });

  it.each(['received', 'question'] as const)('answer a message at %s', async (point) => {
    const at: MessageChain = [
      { type: 'At', target: 'ada' },
      { type: 'Plain', text: 'Done' },
    ];
    const used = await set([
      { listeners: { [point]: () => ({ action: 'answer', message_chain: at }), answer: () => null } },
    ]);
    const { question, answer, gates } = await process(used);
    expect(question).toMatchObject({ state: 'answered', reason: 'answered' });
    expect(answer).toMatchObject({ message_chain: at, text: '@adaDone' });
    expect(used.requests).toEqual([]);
    expect(steps(gates)[0]).toBe(`example/plugin-1 ${point}: stopped answered_by_plugin`);
    expect(used.plugins.calls).toContain('example/plugin-1 answer');
  });

  it('change, stop and answer commands', async () => {
    const command = async (verdict: object | null) => {
      const used = await set([{ listeners: { command: () => verdict } }], { command: 'Hello' });
      return process(used);
    };
    expect((await command(null)).shown).toEqual(['=Done']);
    expect((await command({ action: 'change', name: 'y' })).shown).toEqual(['=Done']);
    expect((await command({ action: 'answer', message_chain: plain('No') })).shown).toEqual(['=No']);
    const stopped = await command({ action: 'stop' });
    expect([stopped.shown, stopped.question?.reason]).toEqual([[], 'stopped_by_plugin']);
  });

  it('change the prompt, the history, and what the model may use', async () => {
    const prompt = [{ role: 'system' as const, content: 'Be brief' }];
    const history = [{ role: 'user' as const, text: 'Before' }];
    const change = { action: 'change', prompt, history, tools: ['convert'], knowledge_bases: [] };
    let seen: unknown;
    const listener = (event: unknown) => {
      seen = event;
      return change;
    };
    const used = await set([{ listeners: { prompt: listener } }]);
    await process(used);
    expect(seen).toEqual({ prompt: [], history: [], knowledge_bases: [], tools: ['convert', 'erase'] });
    expect(used.requests[0]).toMatchObject({ prompt, history: [{ ...history[0], message_chain: plain('Before') }] });
    expect(used.offered).toEqual([['convert']]);
  });

  it.each<[what: string, point: 'received' | 'prompt', verdict: unknown, message: RegExp]>([
    ['another action', 'received', { action: 'explode' }, /the action "explode"/],
    ['no action', 'received', {}, /the action undefined/],
    ['unknown fields', 'received', { action: 'stop', why: '' }, /verdict of a listener/],
    ['a text in place of a chain', 'received', { action: 'change', message_chain: 'x' }, /must be an array/],
    ['an empty chain', 'received', { action: 'answer', message_chain: [] }, /at least one element/],
    [
      'a file of another message',
      'received',
      { action: 'answer', message_chain: [{ type: 'Image', path: 'a/b' }] },
      /a file of another/,
    ],
    [
      'a prototype',
      'received',
      JSON.parse('{"action":"stop","__proto__":{"action":"change"}}'),
      /verdict of a listener/,
    ],
    [
      'too many elements',
      'received',
      { action: 'answer', message_chain: Array(1001).fill({ type: 'AtAll' }) },
      /at most 1000/,
    ],
    ['too long a text', 'received', { action: 'answer', message_chain: plain('x'.repeat(5_000_000)) }, /too long/],
    ['a tool that is not allowed', 'prompt', { action: 'change', tools: ['convert', 'shell'] }, /cannot add "shell"/],
    ['a foreign knowledge base', 'prompt', { action: 'change', knowledge_bases: ['secret'] }, /cannot add "secret"/],
  ])('that return %s are taken to have failed', async (_, point, verdict, message) => {
    const used = await set([{ listeners: { [point]: () => verdict } }]);
    const { question, gates } = await process(used);
    expect(question?.state).toBe('answered');
    const step = (gates as { name: string; details?: { error?: string } }[]).find(({ name }) => name === 'plugin');
    expect(step).toMatchObject({ outcome: 'failed', reason: 'plugin_response_invalid' });
    expect(step?.details?.error).toMatch(message);
  });

  it('that fail let a message pass, or stop it where the operator wants that', async () => {
    const passing = await process(await set([{ listeners: { received: fails } }]));
    expect(passing.question?.state).toBe('answered');
    expect(steps(passing.gates)).toEqual(['example/plugin-1 received: failed plugin_crashed']);
    const stopping = await process(await set([{ listeners: { received: fails }, on_failure: 'stop' }]));
    expect(stopping.question).toMatchObject({ state: 'stopped', reason: 'stopped_by_plugin' });
    expect(stopping.shown).toEqual([]);
  });

  it.each(['received', 'prompt', 'question', 'answer'] as const)(
    'that fail at %s stop the message where they have to',
    async (point) => {
      const used = await set([{ listeners: { [point]: fails }, on_failure: 'stop' }]);
      const { question, answer, shown, gates } = await process(used);
      expect(question).toMatchObject({ state: 'stopped', reason: 'stopped_by_plugin' });
      expect([answer, shown]).toEqual([undefined, []]);
      expect(steps(gates)).toEqual([`example/plugin-1 ${point}: stopped plugin_crashed`]);
      expect(used.requests).toHaveLength(point === 'answer' ? 1 : 0);
    },
  );

  it('that take too long are passed over', async () => {
    const never = () => new Promise(() => undefined);
    const used = await set([
      { listeners: { received: never }, listener_seconds: 1 },
      { listeners: { received: adds('2') } },
    ]);
    const { gates } = await process(used);
    expect(steps(gates)[0]).toBe('example/plugin-1 received: failed plugin_timeout');
    expect(used.requests[0]?.text).toBe('Hello2');
  });

  it('end with the message when its user cancels it', async () => {
    const used = await set([{ listeners: { question: (_: never, call: ScriptedCall) => waitFor(call.signal) } }]);
    const message = await used.received('Hello');
    const ended = process(used, message);
    await expect.poll(() => used.plugins.calls).toEqual(['example/plugin-1 question']);
    used.running.cancel(message.conversation_uuid, 'cancelled');
    expect((await ended).question).toMatchObject({ state: 'stopped', reason: 'cancelled' });
  });

  it('are not asked again after a crash', async () => {
    let count = 0;
    const listener = () => {
      count += 1;
      return { action: 'change', message_chain: plain(`change ${count}`) };
    };
    const used = await set([{ listeners: { received: listener } }]);
    const message = await used.received('Hello');
    await used.ledger.effects.storeVerdict(
      { message_uuid: message.uuid, claim: message.claim, plugin_id: 'example/plugin-1', point: 'received' },
      { action: 'change', message_chain: plain('stored') },
    );
    await afterDeath(used.storage, used.ledger.messages);
    const [again] = await used.ledger.messages.claim({ except: [] }, 1);
    await process(used, again);
    expect([used.requests[0]?.text, count]).toEqual(['stored', 0]);
  });

  it('are told of an answer that was sent, and not of one that failed', async () => {
    const used = await set([{ listeners: { sent: () => undefined } }]);
    await process(used);
    await expect.poll(() => used.plugins.calls).toEqual(['example/plugin-1 sent']);
    const failing = await set([{ listeners: { sent: () => undefined } }], {
      says: [new ParleyError('provider_failed', 'No')],
    });
    expect((await process(failing)).question?.state).toBe('failed');
    expect(failing.plugins.calls).toEqual([]);
  });

  describe('that reply', () => {
    const replies =
      (...texts: string[]) =>
      async (_: never, { ask }: ScriptedCall) => {
        for (const each of texts) await ask('reply', { message_chain: plain(each) });
        return null;
      };
    const permissions = { reply: true } as const;

    it('are heard before the answer, in order', async () => {
      const used = await set([
        { permissions, listeners: { received: replies('one', 'two'), question: replies('three') } },
      ]);
      const { shown, answer, question } = await process(used);
      expect(shown).toEqual(['=one', '=two', '=three', '+Hi', '=Hi']);
      expect(question?.state).toBe('answered');
      expect(used.platform.sent.map(({ reply_to }) => reply_to?.platform_message_id)).toEqual(
        Array(3).fill(question?.platform_message_id),
      );
      expect(answer?.sequence).toBe(5);
    });

    it('are heard when the message is stopped', async () => {
      const listener = async (event: never, call: ScriptedCall) => {
        await replies('no')(event, call);
        return { action: 'stop' };
      };
      const { shown, question } = await process(await set([{ permissions, listeners: { received: listener } }]));
      expect([shown, question?.reason]).toEqual([['=no'], 'stopped_by_plugin']);
    });

    it('need the permission, and elements that the platform has', async () => {
      const failed: unknown[] = [];
      const tries = async (_: never, { ask }: ScriptedCall) => {
        await ask('reply', { message_chain: [{ type: 'Image', url: 'http://example.com/a.png' }] }).catch((error) =>
          failed.push(error.reason),
        );
        return null;
      };
      await process(await set([{ listeners: { received: tries } }, { permissions, listeners: { received: tries } }]));
      expect(failed).toEqual(['plugin_permission_denied', 'unsupported_element']);
    });

    it('are heard once, whatever is repeated after a crash', async () => {
      const used = await set([{ permissions, listeners: { received: replies('one', 'two') } }]);
      const message = await used.received('Hello');
      // The process ends when the answer should be sent.
      const stopping = new AbortController();
      used.platform.refuse = (kind) => {
        if (kind === 'begin' || kind === 'update') stopping.abort(new Error('killed'));
      };
      await expect(used.processor.process(message, stopping.signal)).rejects.toThrow('killed');
      used.platform.refuse = () => undefined;
      await afterDeath(used.storage, used.ledger.messages);
      const [again] = await used.ledger.messages.claim({ except: [] }, 1);
      await process(used, again);
      const heard = used.platform.sent.map(({ message_chain }) => said({ message_chain }));
      expect(heard.filter((each) => each === 'one' || each === 'two')).toEqual(['one', 'two']);
    });

    it('wait for a rate limit, and the answer with them', async () => {
      const used = await set([{ permissions, listeners: { received: replies('one') } }], {
        platform: recordingPlatform({ streams: {} }),
      });
      const message = await used.received('Hello');
      used.platform.refuse = () => {
        throw new DeliveryError('not_sent', 'quota', 'Slow down', { retryAfterSeconds: 1 });
      };
      const first = await process(used, message);
      expect(first.question?.state).toBe('received');
      expect(used.platform.sent).toEqual([]);
      used.platform.refuse = () => undefined;
      let again: typeof message | undefined;
      await expect
        .poll(
          async () => {
            [again] = await used.ledger.messages.claim({ except: [] }, 1);
            return again;
          },
          { timeout: 5000 },
        )
        .toBeDefined();
      await process(used, again);
      expect(used.platform.shown).toEqual(['=one', '=Hi']);
    });

    it('cannot do so after the answer', async () => {
      let reason: unknown;
      const late = async (_: never, { ask }: ScriptedCall) => {
        reason = await ask('reply', { message_chain: plain('late') }).catch((error: ParleyError) => error.reason);
      };
      await process(await set([{ permissions, listeners: { sent: late } }]));
      await expect.poll(() => reason).toBe('conflict');
    });
  });

  it('send messages by the bots, to the targets, that the operator chose, each once', async () => {
    const target = { bot_uuid: 'bot', session_type: 'person' as const, target_id: 'eve' };
    const outcomes: unknown[] = [];
    const sends = async (_: never, { ask }: ScriptedCall) => {
      for (const each of [target, { ...target, target_id: 'bob' }, { ...target, bot_uuid: 'other' }]) {
        const outcome = await ask('send', { target: each, message_chain: plain('News') }).catch(
          (error: ParleyError) => error.reason,
        );
        outcomes.push(outcome);
      }
      return null;
    };
    const sent: string[] = [];
    const used = await set(
      [
        {
          permissions: { send: true },
          grants: { send: [{ bot_uuid: 'bot', targets: ['eve'] }] },
          listeners: { received: sends },
        },
      ],
      { sendForPlugin: async (bot, _, to) => void sent.push(`${bot} ${to}`) },
    );
    const message = await used.received('Hello');
    await process(used, message);
    expect([sent, outcomes]).toEqual([['bot eve'], [null, 'plugin_permission_denied', 'plugin_permission_denied']]);
  });

  it('keep values and settings of their own, and count once for a message', async () => {
    const seen: unknown[] = [];
    const uses = async (_: never, { ask }: ScriptedCall) => {
      seen.push(await ask('settings', {}));
      seen.push(await ask('storage_get', { key: 'a' }));
      await ask('storage_set', { key: 'a', value: { deep: [1] } });
      seen.push(await ask('storage_get', { key: 'a' }), await ask('storage_add', { key: 'n', amount: 2 }));
      seen.push(await ask('storage_keys', { prefix: '', after: '' }));
      await ask('storage_delete', { key: 'a' });
      seen.push(await ask('storage_get', { key: 'a' }));
      return null;
    };
    const settings = { unit: 'm' };
    const used = await set([{ permissions: { storage: true }, settings, listeners: { received: uses } }]);
    await process(used);
    expect(seen).toEqual([settings, {}, { value: { deep: [1] } }, 2, ['a', 'n'], {}]);
  });

  it('have their calls of models recorded with the message, with cost and plugin', async () => {
    const model = fakeLanguageModel({ chunks: ['Hello'] });
    const used = await set(
      [
        {
          permissions: { models: ['generate'] },
          grants: { models: ['m'] },
          listeners: {
            received: async (_: never, { ask }: ScriptedCall) => {
              const messages = [{ role: 'user' as const, content: 'Hi' }];
              expect((await ask('models_generate', { model: 'm', messages })).text).toBe('Hello');
              return null;
            },
          },
        },
      ],
      {
        hostHandlers: hostModels({
          openModel: async () => ({ uuid: 'm', name: 'Model', abilities: [], model, keys: 1, report: () => undefined }),
          describe: async () => null,
          embed: async () => [],
          record: () => expect.unreachable(),
          silenceTimeoutMs: 5000,
        }),
      },
    );
    await process(used);
    const calls = await used.storage.database.selectFrom('model_calls').selectAll().execute();
    expect(calls).toMatchObject([{ model_name: 'Model', plugin_id: 'example/plugin-1', cost: 2, reason: null }]);
  });

  it('read and reset the conversation with the permission for each', async () => {
    const seen: unknown[] = [];
    const reads = async (_: never, { ask }: ScriptedCall) => {
      seen.push(await ask('conversation_read', { rounds: 2 }));
      seen.push(await ask('conversation_reset', {}).catch((error: ParleyError) => error.reason));
      return null;
    };
    const used = await set([{ permissions: { conversation: ['read'] }, listeners: { received: reads } }]);
    await process(used, await used.received('First'));
    await process(used, await used.received('Second'));
    expect(seen.slice(2)).toEqual([
      [
        { role: 'user', text: 'First', message_chain: plain('First') },
        { role: 'assistant', text: 'Hi', message_chain: plain('Hi') },
      ],
      'plugin_permission_denied',
    ]);
  });

  it.each<[method: string, parameters: unknown]>([
    ['storage_get', {}],
    ['storage_get', { key: 'a', more: 1 }],
    ['storage_get', { key: `${'x'.repeat(201)}` }],
    ['storage_get', { key: '\0' }],
    ['storage_add', { key: 'a', amount: '1' }],
    ['storage_set', null],
    ['toString', {}],
    ['__proto__', {}],
  ])('get an error for the request %s with %j', async (method, parameters) => {
    let reason: unknown;
    const asks = async (_: never, { ask }: ScriptedCall) => {
      reason = await ask(method as never, parameters as never).catch((error: ParleyError) => error.reason);
      return null;
    };
    await process(await set([{ permissions: { storage: true }, listeners: { received: asks } }]));
    expect(reason).toBe('invalid_request');
  });
});

function waitFor(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}
