import { type MessageElement, ParleyError, type Tool, type ToolSource } from '@parley/sdk';
import { type FakeTool, fakeTool, pipelineMessage, silentLogger } from '@parley/sdk/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkInProcess } from '../../../test/factories/check-in-process.ts';
import { insertMessage } from '../../../test/stores/insert-message.ts';
import { openTestStorage } from '../../../test/stores/open-test-storage.ts';
import { otherReplica, takeOver } from '../../../test/stores/replicas.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { Storage } from '../../storage/storage.ts';
import { KyselyToolCallStore } from '../../storage/tools/kysely-tool-call-store.ts';
import { ToolGateway, type ToolRights } from './tool-gateway.ts';

let storage: Storage;
let store: KyselyToolCallStore;
let message: string;
beforeEach(async () => {
  storage = await openTestStorage('sqlite');
  store = new KyselyToolCallStore(storage.database, storage.engine, storage.replica);
  message = await insertMessage(storage.database, storage.replica.id);
});
afterEach(() => storage.close());

const { signal } = new AbortController();
const never = () => new Promise<never>(() => undefined);
const source = (name: string, ...tools: Tool[]): ToolSource => ({ name, tools: async () => tools });

function toolsFrom(sources: ToolSource[], rights: Partial<ToolRights> = {}, logger = silentLogger) {
  const collected: MessageElement[] = [];
  const gateway = new ToolGateway(store, { sources, checker: checkInProcess, logger });
  const tools = gateway.forMessage(
    { message: pipelineMessage({ uuid: message }), claim: 1 },
    { allowed: ['*'], timeoutMs: 10_000, ...rights },
    (attachment) => collected.push(attachment),
  );
  return { gateway, tools, collected };
}

const records = () => store.ofMessage(message);
const names = (tools: readonly { name: string }[]) => tools.map(({ name }) => name);

describe('the tools of a message', () => {
  it('ai.local-agent.tools: are those of all sources that the pipeline allows', async () => {
    const sources = [
      source('one', fakeTool({ name: 'a' }), fakeTool({ name: 'b' })),
      source('two', fakeTool({ name: 'c' })),
    ];
    expect(names(await toolsFrom(sources).tools.list())).toEqual(['a', 'b', 'c']);
    expect(names(await toolsFrom(sources, { allowed: ['c', 'a', 'unknown'] }).tools.list())).toEqual(['a', 'c']);
    expect(await toolsFrom(sources, { allowed: [] }).tools.list()).toEqual([]);
    expect(await toolsFrom([]).tools.list()).toEqual([]);
    expect((await toolsFrom(sources).tools.list())[0]).toEqual({
      name: 'a',
      description: 'Looks something up.',
      parameters: fakeTool().parameters,
    });
  });

  it('are those of the extensions that the pipeline uses at the time', async () => {
    const sources = [
      source('own', fakeTool({ name: 'own' })),
      source('others', ...['a', 'b'].map((name) => ({ ...fakeTool({ name }), extension: `mcp-server/${name}` }))),
    ];
    let used = ['mcp-server/a'];
    const { tools } = toolsFrom(sources, {
      access:
        async () =>
        ({ extension }) =>
          extension === undefined || used.includes(extension) ? null : 'tool_not_allowed',
    });
    expect(names(await tools.list())).toEqual(['own', 'a']);
    expect(await tools.call('b', { query: 'x' }, signal)).toMatchObject({ failed: true });
    expect(await tools.call('a', { query: 'x' }, signal)).toMatchObject({ failed: false });
    used = ['mcp-server/b'];
    expect(await tools.call('a', { query: 'x' }, signal)).toMatchObject({ failed: true });
    expect(names(await tools.list())).toEqual(['own', 'b']);
    expect((await records()).map(({ reason }) => reason)).toEqual(['tool_not_allowed', null, 'tool_not_allowed']);
  });

  it('are offered and called only where they run for the user, and the refusal says why', async () => {
    const [harmless, harmful] = [fakeTool({ name: 'look' }), fakeTool({ name: 'delete' })];
    const withheld = vi.fn();
    const access =
      async () =>
      ({ readOnly }: { readOnly?: boolean }) =>
        readOnly === true ? null : ('tool_not_for_user' as const);
    const sources = [source('one', { ...harmless, readOnly: true }, harmful)];
    const { tools } = toolsFrom(sources, { access, withheld });
    expect(names(await tools.list())).toEqual(['look']);
    expect(withheld.mock.calls).toEqual([[['delete']]]);
    expect(await tools.call('look', { query: 'x' }, signal)).toMatchObject({ failed: false });
    const { text, failed } = await tools.call('delete', { query: 'x' }, signal);
    expect(failed).toBe(true);
    expect(text).toMatch(
      /^err: the tool "delete" may change something, and the sender of this message may not have it/,
    );
    expect(harmful.calls).toEqual([]);
    expect((await records()).map(({ state, reason }) => [state, reason])).toEqual([
      ['succeeded', null],
      ['failed', 'tool_not_for_user'],
    ]);
    // Not even named where the pipeline does not list it.
    const narrow = toolsFrom(sources, { access, withheld, allowed: ['look'] }).tools;
    await narrow.list();
    expect(withheld).toHaveBeenLastCalledWith([]);
    expect((await narrow.call('delete', { query: 'x' }, signal)).text).toBe('err: there is no tool named "delete"');
  });

  it('are none when the extensions of the pipeline are unknown', async () => {
    const access = () => Promise.reject(new Error('no database'));
    const { tools } = toolsFrom([source('one', fakeTool())], { access });
    expect(await tools.call('look_up', { query: 'x' }, signal)).toMatchObject({ failed: true });
    await expect(tools.list()).rejects.toThrow('no database');
  });

  it('are called by their prefix, too, when another tool has their name', async () => {
    const named = (answer: string, over: object = {}) => ({ ...fakeTool({ answer }), prefix: 'far', ...over });
    const long = { name: 'x'.repeat(64), prefix: 'p'.repeat(64) };
    const odd = { name: 'look_up', prefix: 'has space' };
    const sources = [
      source('one', fakeTool({ answer: 'first' }), named('long', long)),
      source('two', named('second'), named('third'), named('long too', long), named('odd', odd)),
    ];
    const { tools } = toolsFrom(sources);
    expect(names(await tools.list())).toEqual([
      'look_up',
      long.name,
      'far_look_up',
      'far_look_up_2',
      `${'p'.repeat(24)}_${'x'.repeat(39)}`,
    ]);
    expect((await tools.call('far_look_up', { query: 'x' }, signal)).text).toBe('second');
    expect((await tools.call('look_up', { query: 'x' }, signal)).text).toBe('first');
    const only = toolsFrom(sources, { allowed: ['far_look_up_2'] }).tools;
    expect((await only.call('far_look_up_2', { query: 'x' }, signal)).text).toBe('third');
    expect(await only.call('look_up', { query: 'x' }, signal)).toMatchObject({ failed: true });
  });

  it('are, of two with one name, the first, which is said once', async () => {
    const warn = vi.fn();
    const [first, second] = [fakeTool({ answer: 'first' }), fakeTool({ answer: 'second' })];
    const { tools } = toolsFrom([source('one', first), source('two', second)], {}, { ...silentLogger, warn });
    for (let times = 0; times < 3; times += 1) expect(await tools.list()).toHaveLength(1);
    expect(await tools.call('look_up', { query: 'x' }, signal)).toEqual({ text: 'first', failed: false });
    expect(second.calls).toEqual([]);
    expect(warn.mock.calls).toEqual([[{ source: 'two', tool: 'look_up' }, expect.stringContaining('hidden')]]);
  });

  it('do without what no model could be offered', async () => {
    const odd = [
      fakeTool({ name: 'has space' }),
      fakeTool({ name: '' }),
      fakeTool({ name: 'x'.repeat(65) }),
      { ...fakeTool({ name: 'no_schema' }), parameters: null },
      { ...fakeTool({ name: 'list' }), parameters: [] },
      { ...fakeTool({ name: 'silent' }), description: undefined },
      null,
    ] as unknown as Tool[];
    expect(names(await toolsFrom([source('odd', ...odd, fakeTool({ name: 'good' }))]).tools.list())).toEqual(['good']);
  });

  it('do without a source that fails', async () => {
    const broken: ToolSource[] = [
      { name: 'rejects', tools: () => Promise.reject(new Error('no')) },
      {
        name: 'throws',
        tools: () => {
          throw new Error('immediately');
        },
      },
    ];
    const warn = vi.fn();
    const { tools } = toolsFrom([...broken, source('good', fakeTool())], {}, { ...silentLogger, warn });
    expect(names(await tools.list())).toEqual(['look_up']);
    expect(warn).toHaveBeenCalledTimes(2);
  });
});

describe('a tool that is called', () => {
  it('receives the parameters, the message and a signal, and is recorded', async () => {
    const tool = fakeTool({ answer: 'Sunny' });
    const { tools } = toolsFrom([source('one', tool)]);
    expect(await tools.call('look_up', { query: 'Ulm' }, signal)).toEqual({ text: 'Sunny', failed: false });
    expect(tool.calls).toMatchObject([{ parameters: { query: 'Ulm' }, context: { message: { uuid: message } } }]);
    expect(tool.calls[0]?.context.signal.aborted).toBe(false);
    expect(await records()).toEqual([
      {
        uuid: expect.any(String),
        message_uuid: message,
        tool_name: 'look_up',
        parameters: '{"query":"Ulm"}',
        result: 'Sunny',
        result_size: 5,
        state: 'succeeded',
        reason: null,
        error: null,
        started_at: expect.stringMatching(/Z$/),
        milliseconds: expect.any(Number),
      },
    ]);
  });

  it('is recorded as running while it runs', async () => {
    let state: string | undefined;
    const answer = async () => {
      state = (await records())[0]?.state;
      return 'done';
    };
    await toolsFrom([source('one', fakeTool({ answer }))]).tools.call('look_up', { query: 'x' }, signal);
    expect(state).toBe('running');
  });

  it.each<[string, string, Partial<ToolRights>]>([
    ['is not there', 'other', {}],
    ['is not allowed', 'look_up', { allowed: ['other'] }],
    ['is not allowed, as none is', 'look_up', { allowed: [] }],
    ['has an unknown name', 'x'.repeat(100_000), {}],
    ['is called like what every object has', 'constructor', {}],
  ])('is refused when it %s', async (_, name, rights) => {
    const tool = fakeTool();
    const { tools } = toolsFrom([source('one', tool)], rights);
    const { text, failed } = await tools.call(name, { query: 'x' }, signal);
    expect(failed).toBe(true);
    expect(text).toMatch(/^err: there is no tool named "/);
    expect(tool.calls).toEqual([]);
    expect(await records()).toMatchObject([
      { tool_name: name.slice(0, 255), state: 'failed', reason: 'tool_not_allowed', result: null },
    ]);
  });

  it.each<[string, unknown, string]>([
    ['is missing one', {}, "err: the parameters are not right: the object must have required property 'query'"],
    ['has the wrong kind', { query: 1 }, 'err: the parameters are not right: /query must be string'],
    ['is no JSON', '{"query":', 'err: the parameters are not right: they must be a JSON object'],
  ])('is not called when the input %s', async (_, parameters, text) => {
    const tool = fakeTool();
    expect(await toolsFrom([source('one', tool)]).tools.call('look_up', parameters, signal)).toEqual({
      text,
      failed: true,
    });
    expect(tool.calls).toEqual([]);
    expect(await records()).toMatchObject([{ state: 'failed', reason: 'invalid_request' }]);
  });

  it('may throw, and only intended messages reach the model', async () => {
    const error = vi.fn();
    const secret = new Error('password=hunter2');
    const meant = fakeTool({
      name: 'meant',
      answer: () => Promise.reject(new ParleyError('not_found', 'No such city')),
    });
    const fault = fakeTool({ name: 'fault', answer: () => Promise.reject(secret) });
    const thrower: Tool = {
      ...fakeTool({ name: 'thrower' }),
      call: () => {
        throw secret;
      },
    };
    const { tools } = toolsFrom([source('one', meant, fault, thrower)], {}, { ...silentLogger, error });
    expect(await tools.call('meant', { query: 'x' }, signal)).toEqual({ text: 'err: No such city', failed: true });
    expect(await tools.call('fault', { query: 'x' }, signal)).toEqual({ text: 'err: the tool failed', failed: true });
    expect(await tools.call('thrower', { query: 'x' }, signal)).toEqual({ text: 'err: the tool failed', failed: true });
    expect(error).toHaveBeenCalledTimes(2);
    const recorded = await records();
    expect(recorded.map(({ reason, error }) => [reason, error])).toEqual([
      ['tool_failed', 'No such city'],
      ['tool_failed', 'the tool failed'],
      ['tool_failed', 'the tool failed'],
    ]);
    expect(JSON.stringify(recorded)).not.toContain('hunter2');
  });

  it('of a plugin fails with what happened to its process', async () => {
    const answer = () => Promise.reject(new ParleyError('plugin_crashed', 'It ended with code 3'));
    const { tools } = toolsFrom([source('one', fakeTool({ answer }))]);
    expect(await tools.call('look_up', { query: 'x' }, signal)).toEqual({
      text: 'err: It ended with code 3',
      failed: true,
    });
    expect(await records()).toMatchObject([{ state: 'failed', reason: 'plugin_crashed' }]);
  });

  it('fails when its schema cannot be used', async () => {
    const tool = fakeTool({ parameters: { $ref: 'https://example.com/schema.json' } });
    expect(await toolsFrom([source('one', tool)]).tools.call('look_up', {}, signal)).toMatchObject({ failed: true });
    expect(await records()).toMatchObject([{ reason: 'tool_failed' }]);
  });

  it.each<[string, FakeTool]>([
    ['never answers', fakeTool({ answer: never })],
    [
      'stops on its signal',
      fakeTool({
        answer: (_, context) =>
          new Promise((_resolve, reject) => {
            context.signal.addEventListener('abort', () => reject(context.signal.reason));
          }),
      }),
    ],
  ])('ai.local-agent.tool-timeout: has a time limit when it %s', async (_, tool) => {
    const { tools } = toolsFrom([source('one', tool)], { timeoutMs: 30 });
    expect(await tools.call('look_up', { query: 'x' }, signal)).toEqual({
      text: 'err: the tool did not answer within 0.03 seconds',
      failed: true,
    });
    expect(tool.calls[0]?.context.signal.aborted).toBe(true);
    expect(await records()).toMatchObject([{ state: 'failed', reason: 'tool_timeout' }]);
  });

  it('has more time while it reports progress, up to a maximum', async () => {
    const slow = (pauses: number) =>
      fakeTool({
        answer: async (_, { progress }) => {
          for (let pause = 0; pause < pauses; pause += 1) {
            await new Promise((resolve) => setTimeout(resolve, 50));
            progress();
          }
          return 'done';
        },
      });
    const rights = { timeoutMs: 200, maximumMs: 700 };
    const patient = toolsFrom([source('one', slow(6))], rights).tools;
    expect(await patient.call('look_up', { query: 'x' }, signal)).toEqual({ text: 'done', failed: false });
    const endless = toolsFrom([source('one', slow(1000))], rights).tools;
    expect(await endless.call('look_up', { query: 'x' }, signal)).toEqual({
      text: 'err: the tool did not answer within 0.7 seconds',
      failed: true,
    });
  });

  it('is interrupted when the answer is aborted, which is recorded', async () => {
    const controller = new AbortController();
    const tool = fakeTool({ answer: never });
    const { tools } = toolsFrom([source('one', tool)]);
    const calling = tools.call('look_up', { query: 'x' }, controller.signal);
    await expect.poll(() => tool.calls.length).toBe(1);
    const reason = new ParleyError('cancelled', 'A user cancelled it');
    controller.abort(reason);
    await expect(calling).rejects.toBe(reason);
    expect(await records()).toMatchObject([{ state: 'interrupted', reason: 'cancelled', result: null }]);
    await expect(tools.call('look_up', { query: 'x' }, controller.signal)).rejects.toBe(reason);
    expect(await records()).toHaveLength(1);
  });

  it('ai.local-agent.max-parallel-tools: is called while few enough others are', async () => {
    let running = 0;
    let most = 0;
    const answer = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      return 'done';
    };
    const { tools } = toolsFrom([source('one', fakeTool({ answer }))], { maximumParallel: 2 });
    await Promise.all(Array.from({ length: 9 }, () => tools.call('look_up', { query: 'x' }, signal)));
    expect(most).toBe(2);
    expect(await records()).toHaveLength(9);
  });

  it('has a long result cut, for the model and, shorter, for the record', async () => {
    const { tools } = toolsFrom([source('one', fakeTool({ answer: '今'.repeat(700_000) }))]);
    const { text } = await tools.call('look_up', { query: 'x' }, signal);
    expect(text).toMatch(/^今{21845}\n\[Truncated: the full text has 2100000 bytes\.\]$/);
    const [record] = await records();
    expect(record?.result).toMatch(/^今{5461}\n\[Truncated/);
    expect(record?.result_size).toBe(2_100_000);
  });

  it.each([undefined, null, 'text', { text: 7 }])('returns %j, which is empty or a failure', async (result) => {
    const tool = { ...fakeTool(), call: async () => result } as unknown as Tool;
    const { text } = await toolsFrom([source('one', tool)]).tools.call('look_up', { query: 'x' }, signal);
    expect(text).toMatch(/^(\(no text\)|err: )/);
  });

  it('may add attachments, within limits', async () => {
    const image: MessageElement = { type: 'Image', base64: 'data:image/png;base64,AAAA' };
    const wrong = [{ type: 'Image' }, { type: 'Nothing' }, null, 'x'] as unknown as MessageElement[];
    const tool = fakeTool({ answer: { text: '', attachments: [image, ...wrong] } });
    const { tools, collected } = toolsFrom([source('one', tool)]);
    expect(await tools.call('look_up', { query: 'x' }, signal)).toEqual({
      text: '(no text; 1 attached to the answer)\n[4 of 5 could not be attached to the answer]',
      failed: false,
    });
    expect(collected).toEqual([image]);
    for (let index = 0; index < 30; index += 1) await tools.call('look_up', { query: 'x' }, signal);
    expect(collected).toHaveLength(20);
  });

  it('is not called when that cannot be recorded', async () => {
    const tool = fakeTool();
    const { tools } = toolsFrom([source('one', tool)]);
    vi.spyOn(store, 'begin').mockRejectedValueOnce(new Error('the disk is full'));
    expect(await tools.call('look_up', { query: 'x' }, signal)).toMatchObject({ failed: true });
    expect(tool.calls).toEqual([]);
  });

  it('is not called, and the run ends, when another replica has claimed the message', async () => {
    const tool = fakeTool();
    const { tools } = toolsFrom([source('one', tool)]);
    expect(await tools.call('look_up', { query: 'x' }, signal)).toMatchObject({ failed: false });
    await storage.database.updateTable('messages').set({ claimed_by: newUuid(), claim: 2 }).execute();
    const call = tools.call('look_up', { query: 'x' }, signal);
    await expect(call).rejects.toMatchObject({ name: 'StorageError', detail: 'not_owner' });
    expect(tool.calls).toHaveLength(1);
    expect(await records()).toHaveLength(1);
  });

  it('is found cut short at the next start when the process ended meanwhile', async () => {
    const dead = await otherReplica(storage);
    store = new KyselyToolCallStore(dead.database, dead.engine, dead.replica);
    message = await insertMessage(storage.database, dead.replica.id);
    const tool = fakeTool({ answer: never });
    const { gateway, tools } = toolsFrom([source('one', tool)]);
    tools.call('look_up', { query: 'x' }, signal).catch(() => undefined);
    await expect.poll(() => tool.calls.length).toBe(1);
    expect(await gateway.recover()).toBe(0);
    await takeOver(dead);
    expect(await gateway.recover()).toBe(1);
    expect(await records()).toMatchObject([{ state: 'interrupted', reason: 'interrupted' }]);
  });
});
