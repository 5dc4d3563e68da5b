import type { Command, CommandInvocation, MessageChain } from '@parley/sdk';
import type { ActivePlugin } from '../active-plugin.ts';
import { checkChain, filesOf } from '../listeners/verdicts.ts';
import { attemptOf, hostFor, type PluginCalls } from './plugin-calls.ts';

/** Longest time of a command, milliseconds. */
const commandTimeout = 60_000;

/** The chat commands of a plugin. */
export function commandsOf(plugin: ActivePlugin, calls: PluginCalls): Command[] {
  return (plugin.manifest.contributes.commands ?? []).map((declared) => ({
    ...declared,
    run: (invocation) => run(plugin, declared.name, invocation, calls),
  }));
}

async function run(
  plugin: ActivePlugin,
  name: string,
  { message, parameters, privilege, prefix }: CommandInvocation,
  calls: PluginCalls,
): Promise<MessageChain> {
  const scope = calls.scopeOf(message.uuid, plugin.id, `command:${name}`);
  const said = await calls.caller.call({
    plugin: plugin.id,
    method: 'command',
    parameters: { message, attempt: attemptOf(scope), name, parameters: [...parameters], privilege, prefix },
    timeoutMs: commandTimeout,
    signal: scope?.signal ?? new AbortController().signal,
    host: hostFor(calls, plugin.id, scope),
  });
  return checkChain(said, filesOf(message.message_chain));
}
