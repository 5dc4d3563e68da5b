import { describe, expect, it } from 'vitest';
import { builtInCommands } from './built-in-commands.ts';
import { CommandService, type CommandSettings } from './command-service.ts';
import type { Interruption } from './interruption.ts';
import type { CommandSender } from './privilege.ts';

const settings = { commandEnabled: true, commandPrefixes: ['!'], commandPrivileges: [], admins: [] };
const person: CommandSender = { session_type: 'person', session_id: 'ada', sender_id: 'ada', facts: {} };
const member: CommandSender = { session_type: 'group', session_id: 'g1', sender_id: 'ada', facts: {} };

function interruption(text: string, sender = person, over: Partial<CommandSettings> = {}): Interruption | null {
  const commands = new CommandService(builtInCommands, { ...settings, ...over });
  const parsed = commands.parse([{ type: 'Plain', text }], null);
  return parsed === null ? null : commands.interruption(parsed, sender);
}

describe('what is under way', () => {
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

  it('is not ended by anybody who may not give the command, or while there are none', () => {
    const commandPrivileges = ['cancel=2'];
    expect(interruption('!stop', person, { commandPrivileges })).toBeNull();
    expect(interruption('!stop', person, { commandPrivileges, admins: ['person_ada'] })).not.toBeNull();
    expect(interruption('!stop', person, { commandEnabled: false })).toBeNull();
  });

  it.each<[string, CommandSender, string[], Interruption['reach']]>([
    ['a member', member, [], 'own'],
    ['a member whom the group says to be one', { ...member, facts: { sender_permission: 'MEMBER' } }, [], 'own'],
    ['somebody who administers it', { ...member, facts: { sender_permission: 'ADMINISTRATOR' } }, [], 'all'],
    ['its owner', { ...member, facts: { sender_permission: 'OWNER' } }, [], 'all'],
    ['an administrator of the bots', member, ['person_ada'], 'all'],
    ['anybody, when the group administers the bots', member, ['group_g1'], 'all'],
  ])('in a group, %s ends what they may', (_, sender, admins, reach) => {
    expect(interruption('!cancel', sender, { admins })).toEqual({ reason: 'cancelled', reach });
  });
});
