import type { MessageEvent, MessageNames, PlatformAdapter } from '@parley/sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { recordingPlatform } from '../../../test/stores/ledger-fixture.ts';
import {
  openProcessorFixture,
  type ProcessorFixture,
  type ProcessorSetting,
  processed,
} from '../../../test/stores/processor-fixture.ts';

type NamesOf = NonNullable<PlatformAdapter['namesOf']>;

const inGroup = { session_type: 'group', session_id: 'friends', thread_id: '7' } as const;

describe('names that a message lacks', () => {
  const open: ProcessorFixture[] = [];
  afterEach(async () => {
    for (const fixture of open.splice(0)) await fixture.close();
  });

  const set = async (namesOf: NamesOf, setting: ProcessorSetting = {}) => {
    const platform = recordingPlatform({ streams: {} });
    const { create } = platform.implementation;
    platform.implementation.create = (config, context) => Object.assign(create(config, context), { namesOf });
    const fixture = await openProcessorFixture({ says: [{ type: 'text', text: 'Hi' }], ...setting, platform });
    open.push(fixture);
    return fixture;
  };
  const asked = async (used: ProcessorFixture, event: Partial<MessageEvent> = {}, place: object = {}) => {
    const message = await used.received('Hello', place, { sender_name: '', ...event });
    return (await processed(used, message)).question;
  };

  it('are looked up, stored with it and known to the runner', async () => {
    const calls: unknown[] = [];
    const used = await set(async (target, senderId) => {
      calls.push([target, senderId]);
      return { sender_name: ' Ada ', group_name: 'Friends' };
    });
    const facts = { bot_mentions: ['role'] } as const;
    const question = await asked(used, { facts }, inGroup);
    expect(calls).toEqual([[{ ...inGroup, pipeline_uuid: used.pipelineUuid }, 'ada']]);
    const known = { sender_name: 'Ada', facts: { ...facts, group_name: 'Friends' } };
    expect(question).toMatchObject(known);
    expect(used.requests[0]?.message).toMatchObject(known);
  });

  it('are looked up once per sender and chat', async () => {
    let calls = 0;
    const used = await set(async (_, senderId) => {
      calls += 1;
      return { sender_name: `Name of ${senderId}` };
    });
    for (const sender_id of ['ada', 'ada', 'bob']) {
      expect(await asked(used, { sender_id }, inGroup)).toMatchObject({ sender_name: `Name of ${sender_id}` });
    }
    expect(await asked(used)).toMatchObject({ sender_name: 'Name of ada' });
    expect(calls).toBe(3);
  });

  it('are not looked up for a message that has them, and none that it has is replaced', async () => {
    let calls = 0;
    const used = await set(async () => {
      calls += 1;
      return { sender_name: 'Other', group_name: 'Friends' };
    });
    await asked(used, { sender_name: 'Ada' });
    await asked(used, { sender_name: 'Ada', facts: { group_name: 'Mine' } }, inGroup);
    expect(calls).toBe(0);
    const question = await asked(used, { sender_name: 'Ada' }, inGroup);
    expect(question).toMatchObject({ sender_name: 'Ada', facts: { group_name: 'Friends' } });
    const person = await asked(used);
    expect(person).toMatchObject({ sender_name: 'Other', facts: {} });
  });

  it('stay away when the lookup fails, which is not repeated at once', async () => {
    let calls = 0;
    const used = await set(() => {
      calls += 1;
      return Promise.reject(new Error('HTTP 500'));
    });
    for (const _ of [1, 2]) expect(await asked(used)).toMatchObject({ state: 'answered', sender_name: '' });
    expect(calls).toBe(1);
  });

  it('stay away when the lookup takes too long', async () => {
    const used = await set(() => new Promise(() => {}), { nameTimeoutMs: 20 });
    expect(await asked(used)).toMatchObject({ state: 'answered', sender_name: '' });
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', { sender_name: 5 }],
    ['white space', { sender_name: ' \n' }],
  ])('stay away when the platform gives %s', async (_, names) => {
    const used = await set(async () => names as MessageNames);
    expect(await asked(used)).toMatchObject({ state: 'answered', sender_name: '' });
  });

  it('are cut, and stored although they are no well-formed text', async () => {
    const used = await set(async () => ({ sender_name: `\ud800${'x'.repeat(1000)}` }));
    expect((await asked(used))?.sender_name).toBe(`\ufffd${'x'.repeat(254)}`);
  });

  it('are left to another attempt when the service stops meanwhile', async () => {
    const stopping = new AbortController();
    const used = await set(() => {
      stopping.abort(new Error('The service stops'));
      return new Promise(() => {});
    });
    const message = await used.received('Hello', {}, { sender_name: '' });
    await expect(used.processor.process(message, stopping.signal)).rejects.toThrow('The service stops');
    expect(used.requests).toEqual([]);
  });
});
