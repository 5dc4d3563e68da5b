import type { CommandInvocation } from '@parley/sdk';
import { expect, it } from 'vitest';
import { contributingPlugin } from '../../../../test/factories/contributing-plugin.ts';
import { pluginMessage } from '../../../../test/factories/plugin-host-calls.ts';
import { commandsOf } from './plugin-commands.ts';

const declared = { name: 'convert', aliases: ['c'], usage: '[value]', description: 'Converts.', privilege: 2 as const };
const plain = [{ type: 'Plain', text: '1000 m' }];
// What is read of it.
const invocation = {
  message: pluginMessage,
  parameters: ['1', 'km'],
  privilege: 2,
  prefix: '!',
} as unknown as CommandInvocation;

function set(said: unknown) {
  const used = contributingPlugin({ commands: [declared] }, () => said);
  const [command] = commandsOf(used.plugin, used.calls);
  return { ...used, command };
}

it('a command is described as the manifest does', () => {
  expect(set(plain).command).toMatchObject(declared);
});

it('a command replies what the plugin says', async () => {
  const { command, requests, points } = set(plain);
  expect(await command?.run(invocation)).toEqual(plain);
  expect(requests).toMatchObject([
    {
      method: 'command',
      parameters: { name: 'convert', parameters: ['1', 'km'], privilege: 2, prefix: '!', attempt: 1 },
    },
  ]);
  expect(points).toEqual(['command:convert']);
});

it.each([
  ['nothing', undefined],
  ['no list', { type: 'Plain', text: 'a' }],
  ['an unknown element', [{ type: 'Virus' }]],
  ['a file of another message', [{ type: 'Image', path: 'stored/b.png' }]],
])('a reply with %s is refused', async (_, said) => {
  await expect(set(said).command?.run(invocation)).rejects.toMatchObject({ reason: 'plugin_response_invalid' });
});
