import {
  type Command,
  type CommandConversation,
  type ConversationModel,
  type MessageFacts,
  ParleyError,
  type PipelineMessage,
} from '@parley/sdk';
import { silentLogger } from '@parley/sdk/testing';
import { describe, expect, it } from 'vitest';
import { now } from '../../lib/clock.ts';
import { Registry } from '../../lib/registry.ts';
import { newUuid } from '../../lib/uuid.ts';
import { builtInCommands } from './built-in-commands.ts';
import { CommandService, type CommandSettings } from './command-service.ts';

const settings: CommandSettings = {
  commandEnabled: true,
  commandPrefixes: ['!', '！'],
  commandPrivileges: [],
  admins: [],
};

type Conversation = CommandConversation & { wasReset: boolean; requestedRounds: number[] };

function conversation(over: Partial<CommandConversation> = {}): Conversation {
  const models: ConversationModel[] = [
    { uuid: 'a', name: 'Quick', current: true },
    { uuid: 'b', name: 'Slow and good', current: false },
    { uuid: 'c', name: 'Twin', current: false },
    { uuid: 'd', name: 'twin', current: false },
  ];
  const state: Conversation = {
    wasReset: false,
    requestedRounds: [],
    reset: async () => {
      state.wasReset = true;
    },
    history: async (rounds) => {
      state.requestedRounds.push(rounds);
      return [
        { role: 'user', text: ' How\nmany? ' },
        { role: 'assistant', text: 'Two.' },
      ];
    },
    cancelled: async () => 0,
    status: async () => ({ under_way: 0, waiting: 2, rounds: 1, since: '2026-01-02T03:04:05.678Z' }),
    models: async () => models,
    chooseModel: async (uuid) => {
      for (const model of models) model.current = model.uuid === (uuid ?? 'a');
    },
    ...over,
  };
  return state;
}

function message(text: string, over: Partial<PipelineMessage> = {}): PipelineMessage {
  return {
    uuid: newUuid(),
    bot_uuid: newUuid(),
    pipeline_uuid: newUuid(),
    conversation_uuid: newUuid(),
    session_type: 'person',
    session_id: 'ada',
    thread_id: '',
    sequence: 1,
    platform_message_id: '1',
    sender_id: 'ada',
    sender_name: 'Ada',
    facts: {},
    message_chain: [{ type: 'Plain', text }],
    created_at: now(),
    ...over,
  };
}

const inGroup = (facts: MessageFacts = {}): Partial<PipelineMessage> => ({
  session_type: 'group',
  session_id: 'g1',
  facts,
});

interface Given extends Partial<CommandSettings> {
  commands?: readonly Command[];
  conversation?: CommandConversation;
  message?: Partial<PipelineMessage>;
}

/** Runs a command. @returns its reply and its reason */
async function give(text: string, given: Given = {}) {
  const { commands = builtInCommands, conversation: control = conversation(), message: over, ...more } = given;
  const service = new CommandService(new Registry(commands), { ...settings, ...more }, silentLogger);
  const written = message(text, over);
  const parsed = service.parse(written.message_chain, null);
  if (parsed === null) throw new Error('it is no command');
  const pipeline = { name: 'Support' };
  return service.run(parsed, { message: written, pipeline, conversation: control });
}
const said = async (text: string, given: Given = {}) => (await give(text, given)).text;

describe('commands', () => {
  it('are none when they are switched off', () => {
    const service = new CommandService(
      new Registry(builtInCommands),
      { ...settings, commandEnabled: false },
      silentLogger,
    );
    expect(service.parse(message('!help').message_chain, null)).toBeNull();
  });

  it('that are unknown lead to help, without repeating the input', async () => {
    expect(await give('！everyone@here')).toMatchObject({
      text: 'Unknown command. ！help lists the commands.',
      reason: 'command',
    });
    expect(await said('!constructor')).toContain('Unknown command');
  });

  it('return their reply as a message chain, too', async () => {
    expect(await give('!reset')).toEqual({
      text: 'The conversation was reset.',
      message_chain: [{ type: 'Plain', text: 'The conversation was reset.' }],
      reason: 'command',
    });
    const picture = { type: 'Image', url: 'https://example.com/a.png' } as const;
    const show: Command = {
      name: 'show',
      aliases: [],
      usage: '',
      description: 'Shows.',
      privilege: 1,
      run: () => [picture],
    };
    expect(await give('!show', { commands: [show] })).toEqual({
      text: '[Image]',
      message_chain: [picture],
      reason: 'command',
    });
  });

  it('fail with their own error', async () => {
    const broken = conversation({ reset: () => Promise.reject(new Error('disk full')) });
    await expect(give('!reset', { conversation: broken })).rejects.toThrow('disk full');
    const refused = conversation({ reset: () => Promise.reject(new ParleyError('not_found', 'gone')) });
    await expect(give('!reset', { conversation: refused })).rejects.toMatchObject({ reason: 'not_found' });
  });

  it('have names of their own', () => {
    const [help] = builtInCommands as [Command];
    expect(() => new Registry([help, { ...help, name: 'other', aliases: ['help'] }])).toThrow('help');
  });
});

describe('privileges', () => {
  const commandPrivileges = ['reset=2'];
  const denied = { text: 'You may not give this command.', reason: 'command_denied' };

  it.each<[string, Given, boolean]>([
    ['no one', {}, false],
    ['a user', { admins: ['person_ada'] }, true],
    ['another user', { admins: ['person_bob'] }, false],
    ['a group with the id of the user', { admins: ['group_ada'] }, false],
    ['a user in a group', { admins: ['person_ada'], message: inGroup() }, true],
    ['a group', { admins: ['group_g1'], message: inGroup() }, true],
    ['another group', { admins: ['group_g2'], message: inGroup() }, false],
    ['a user with the id of the group', { admins: ['person_g1'], message: inGroup() }, false],
    ['no one, not even the owner of the group', { message: inGroup({ sender_permission: 'OWNER' }) }, false],
  ])('that the settings ask for are those of %s', async (_, given, isAllowed) => {
    const control = conversation();
    const answer = await give('!reset', { commandPrivileges, conversation: control, ...given });
    if (!isAllowed) expect(answer).toMatchObject(denied);
    expect([answer.reason, control.wasReset]).toEqual([isAllowed ? 'command' : 'command_denied', isAllowed]);
  });

  it('count for aliases as well, and may be lowered', async () => {
    expect(await give('!new', { commandPrivileges })).toMatchObject(denied);
    expect(await give('!reset', { commandPrivileges: ['new=2'] })).toMatchObject(denied);
    const strict = builtInCommands.map((command) => ({ ...command, privilege: 2 as const }));
    expect(await give('!status', { commands: strict })).toMatchObject(denied);
    expect(await give('!status', { commands: strict, commandPrivileges: ['status=1'] })).toMatchObject({
      reason: 'command',
    });
  });

  it('of one command twice prevent the service from starting', () => {
    const make = (...entries: string[]) =>
      new CommandService(new Registry(builtInCommands), { ...settings, commandPrivileges: entries }, silentLogger);
    expect(() => make('reset=2', 'new=1')).toThrow('command_privileges names the command reset twice');
    expect(() => make('convert=2', 'convert=1')).toThrow('command_privileges names the command convert twice');
  });

  it('of a command that is not there are reported, and apply once it comes', async () => {
    const registry = new Registry(builtInCommands);
    const warnings: unknown[] = [];
    const logger = { ...silentLogger, warn: (...warning: unknown[]) => void warnings.push(warning) };
    const commandPrivileges = ['convert=2', 'units=1', 'status=1'];
    const service = new CommandService(registry, { ...settings, commandPrivileges }, logger);
    const told = expect.stringContaining('a command that there is not');
    expect(warnings).toEqual([
      [{ command: 'convert' }, told],
      [{ command: 'units' }, told],
    ]);

    const convert: Command = { name: 'convert', description: 'Converts units.', run: () => '1.6 km' };
    registry.add(convert);
    const written = message('!convert 1 mile');
    const context = { message: written, pipeline: { name: 'Support' }, conversation: conversation() };
    const parsed = service.parse(written.message_chain, null);
    if (parsed === null) throw new Error('it is no command');
    expect(await service.run(parsed, context)).toMatchObject(denied);
    registry.remove(convert);
    // Both entries name it now.
    registry.add({ ...convert, aliases: ['units'] });
    expect(await service.run(parsed, context)).toMatchObject(denied);
  });
});

describe('help', () => {
  it('lists what the sender may do', async () => {
    const lines = (await said('!help', { commandPrivileges: ['reset=2'] })).split('\n');
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['!help', '!cancel', '!model', '!status', '!history']);
    expect(lines.find((line) => line.startsWith('!history'))).toBe(
      '!history [rounds] - Shows the last messages: 3 rounds, or up to 10.',
    );
    const all = await said('!help', { commandPrivileges: ['reset=2'], admins: ['person_ada'] });
    expect(all).toContain('!reset - Ends');
  });

  it('explains one, by any of its names', async () => {
    for (const text of ['!help cancel', '!help STOP', '!help !cancel']) {
      expect(await said(text)).toBe('!cancel - Ends the answer that is being written.\nAlso: !stop');
    }
    expect(await said('！help status')).toBe('！status - Shows the state of this conversation.');
    expect(await said('!help nothing')).toContain('Unknown command');
    expect(await said('!help reset', { commandPrivileges: ['reset=2'] })).toContain('Unknown command');
  });
});

describe('cancel', () => {
  it.each<[number, Given, string]>([
    [0, {}, 'Nothing was in progress.'],
    [0, { message: inGroup() }, 'None of your messages was in progress.'],
    [0, { message: inGroup({ sender_permission: 'OWNER' }) }, 'Nothing was in progress.'],
    [0, { message: inGroup(), admins: ['person_ada'] }, 'Nothing was in progress.'],
    [1, {}, 'Cancelled.'],
    [3, {}, 'Cancelled. 3 messages will not be answered.'],
  ])('of %i messages reports the number', async (count, given, text) => {
    for (const name of ['!cancel', '!stop']) {
      expect(await said(name, { ...given, conversation: conversation({ cancelled: async () => count }) })).toBe(text);
    }
  });
});

describe('model', () => {
  const list = '1. Quick (answers)\n2. Slow and good\n3. Twin\n4. twin';

  it('shows the models and which one answers', async () => {
    expect(await said('!model')).toBe(list);
    expect(await said('!model', { message: inGroup() })).toBe(list);
    expect(await said('!model', { conversation: conversation({ models: async () => [] }) })).toBe(
      'No model of this system answers here.',
    );
  });

  it.each([
    ['by its name', 'slow AND good', 'Slow and good answers in this conversation now.', 'b'],
    ['by its number', '4', 'twin answers in this conversation now.', 'd'],
    ['that is the first one', 'default', 'Quick answers in this conversation now.', 'a'],
    ['whose name is another one’s, too', 'Twin', `Several models have this name; say the number.\n${list}`, 'a'],
    ['that is unknown', 'slow', 'Unknown model. !model lists the models.', 'a'],
    ['beyond the last one', '5', 'Unknown model. !model lists the models.', 'a'],
    ['before the first one', '0', 'Unknown model. !model lists the models.', 'a'],
  ])('has another one answer %s', async (_, wanted, text, current) => {
    const control = conversation();
    expect(await said(`!model ${wanted}`, { conversation: control })).toBe(text);
    expect((await control.models()).filter((model) => model.current).map(({ uuid }) => uuid)).toEqual([current]);
  });

  it.each<[string, Given, boolean]>([
    ['anyone', {}, false],
    ['its members', { message: inGroup({ sender_permission: 'MEMBER' }) }, false],
    ['those who administer it', { message: inGroup({ sender_permission: 'ADMINISTRATOR' }) }, true],
    ['its owner', { message: inGroup({ sender_permission: 'OWNER' }) }, true],
    ['an administrator of the bots', { admins: ['person_ada'] }, true],
  ])('of a group is not everybody’s to change: %s', async (_, given, isAllowed) => {
    for (const wanted of ['2', 'default', 'nothing']) {
      const control = conversation();
      const answer = await give(`!model ${wanted}`, { message: inGroup(), ...given, conversation: control });
      expect(answer.reason).toBe(isAllowed ? 'command' : 'command_denied');
      if (!isAllowed) expect((await control.models())[0]?.current).toBe(true);
    }
  });
});

describe('history', () => {
  it('shows the last rounds', async () => {
    const control = conversation();
    expect(await said('!history', { conversation: control })).toBe('Question: How many?\nAnswer: Two.');
    await said('!history 10', { conversation: control });
    expect(control.requestedRounds).toEqual([3, 10]);
  });

  it.each(['0', '11', '-1', '1.5', 'all', '99999999999999999999', '١'])('takes no %s rounds', async (rounds) => {
    const control = conversation();
    expect(await said(`!history ${rounds}`, { conversation: control })).toContain('from 1 to 10');
    expect(control.requestedRounds).toEqual([]);
  });

  it('may be empty', async () => {
    const empty = conversation({ history: async () => [] });
    expect(await said('!history', { conversation: empty })).toBe('This conversation has no messages yet.');
  });

  it.each([
    ['x'.repeat(200), 'x'.repeat(200)],
    ['x'.repeat(201), `${'x'.repeat(200)}…`],
    ['🦜'.repeat(200), '🦜'.repeat(200)],
    ['🦜'.repeat(201), `${'🦜'.repeat(200)}…`],
    [`x${'🦜'.repeat(300)}`, `x${'🦜'.repeat(199)}…`],
    [`${' \n'.repeat(5000)}x`, 'x'],
    ['x'.repeat(5_000_000), `${'x'.repeat(200)}…`],
  ])('shortens long texts', async (text, shown) => {
    const long = conversation({ history: async () => [{ role: 'assistant', text }] });
    expect(await said('!history', { conversation: long })).toBe(`Answer: ${shown}`);
  });
});

describe('status', () => {
  it('shows the state of the conversation', async () => {
    expect(await said('!status')).toBe(
      [
        'Pipeline: Support',
        'Model: Quick',
        'In progress in this chat: none',
        'Waiting: 2 messages',
        'History: 1 round since 2026-01-02 03:04 UTC',
      ].join('\n'),
    );
  });

  it('names no model where none of ours answers', async () => {
    expect(await said('!status', { conversation: conversation({ models: async () => [] }) })).not.toContain('Model');
  });
});
