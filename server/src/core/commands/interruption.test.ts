import { silentLogger } from '@parley/sdk/testing';
import { describe, expect, it } from 'vitest';
import { Registry } from '../../lib/registry.ts';
import { builtInCommands } from './built-in-commands.ts';
import { CommandService, type CommandSettings } from './command-service.ts';
import type { Interruption } from './interruption.ts';
import type { CommandSender } from './privilege.ts';

const settings = { commandEnabled: true, commandPrefixes: ['!'], commandPrivileges: [], admins: [] };
const directSender: CommandSender = { session_type: 'person', session_id: 'ada', sender_id: 'ada', facts: {} };
const member: CommandSender = { session_type: 'group', session_id: 'g1', sender_id: 'ada', facts: {} };

function interruption(text: string, sender = directSender, over: Partial<CommandSettings> = {}): Interruption | null {
  const commands = new CommandService(new Registry(builtInCommands), { ...settings, ...over }, silentLogger);
  const parsed = commands.parse([{ type: 'Plain', text }], null);
  return parsed === null ? null : commands.interruption(parsed, sender);
}

describe('running messages', () => {
  it.each([
    ['!cancel', 'cancelled'],
    ['!STOP now', 'cancelled'],
    ['!reset', 'reset'],
    ['!new', 'reset'],
  ])('is ended by %s', (text, reason) => {
    expect(interruption(text)).toEqual({ reason, reach: 'all' });
  });

  it.each(['!help', '!status', '!model 2', '!cancelled', 'cancel', 'please !cancel'])('is not ended by %s', (text) => {
    expect(interruption(text)).toBeNull();
  });

  it('are not ended by a sender without permission, or while commands are disabled', () => {
    const commandPrivileges = ['cancel=2'];
    expect(interruption('!stop', directSender, { commandPrivileges })).toBeNull();
    expect(interruption('!stop', directSender, { commandPrivileges, admins: ['person_ada'] })).not.toBeNull();
    expect(interruption('!stop', directSender, { commandEnabled: false })).toBeNull();
  });

  it.each<[string, CommandSender, string[], Interruption['reach']]>([
    ['a member', member, [], 'own'],
    ['a member whom the group says to be one', { ...member, facts: { sender_permission: 'MEMBER' } }, [], 'own'],
    ['an administrator of it', { ...member, facts: { sender_permission: 'ADMINISTRATOR' } }, [], 'all'],
    ['its owner', { ...member, facts: { sender_permission: 'OWNER' } }, [], 'all'],
    ['an administrator of the bots', member, ['person_ada'], 'all'],
    ['any member, when the group administers the bots', member, ['group_g1'], 'all'],
  ])('in a group, %s ends what they may', (_, sender, admins, reach) => {
    expect(interruption('!cancel', sender, { admins })).toEqual({ reason: 'cancelled', reach });
  });
});
