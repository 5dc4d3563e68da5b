import type { PluginContributions, PluginManifest, PluginPermissions, PluginPoint } from '@parley/sdk';

/** One thing that a plugin may do or see, once it is allowed to. */
export interface DescribedPermission {
  /** A field of `permissions`, `fetch_setting`, or the kind of contributions that it follows from. */
  kind:
    | keyof PluginPermissions
    | 'fetch_setting'
    | 'listeners'
    | 'tools'
    | 'runners'
    | 'parsers'
    | 'engines'
    | 'schedules';
  /** Which of them: a host, a setting, a point, a tool; empty where there is one. */
  value: string;
  /** An English sentence. */
  text: string;
}

const pointTexts: Record<PluginPoint, string> = {
  received: 'Reads each message before it is processed, and may change, stop or answer it.',
  command: 'Reads each chat command, and may change, stop or answer it.',
  prompt: 'Reads the prompt and the history of each message, and may change them, its knowledge bases and its tools.',
  question: 'Reads each question before it is answered, and may change or answer it.',
  answer: 'Reads each answer before it is sent, and may change or stop it. Answers are then not streamed.',
  sent: 'Reads each answer that was sent.',
};

const texts = {
  storage: { '': 'Stores data of its own, at most 10 MB.' },
  reply: { '': 'Replies to messages.' },
  send: { '': 'Sends messages by the bots, to the users and groups, that you choose.' },
  models: {
    generate: 'Calls the language models that you choose, at your cost.',
    embed: 'Calls the embedding models that you choose, at your cost.',
  },
  knowledge: {
    pipeline: 'Searches the knowledge bases of the pipelines that use it.',
    chosen: 'Searches the knowledge bases that you choose.',
  },
  files: { '': 'Reads the files of messages.' },
  conversation: {
    read: 'Reads the conversations of messages.',
    reset: 'Resets the conversations of messages.',
  },
} as const;

const contributionTexts = {
  runners: 'Reads the conversations of the pipelines that use it as their runner, and answers them.',
  parsers: 'Reads the documents of the types that it parses.',
  engines: 'Stores and searches the documents of the knowledge bases that use it as their engine.',
  schedules: 'Runs by itself on a schedule.',
} as const satisfies Partial<Record<keyof PluginContributions, string>>;

/** Everything that a plugin asks for, in the order in which it matters to an operator. */
export function describedPermissions({
  settings,
  contributes,
  permissions = {},
}: PluginManifest): DescribedPermission[] {
  const described: DescribedPermission[] = [];
  for (const { point } of contributes.listeners ?? []) {
    described.push({ kind: 'listeners', value: point, text: pointTexts[point] });
  }
  for (const { name, read_only = false } of contributes.tools ?? []) {
    // The others run for those that the operator lists.
    if (!read_only) continue;
    const text = `Has the tool ${name} called for all users, since it says that the tool only reads.`;
    described.push({ kind: 'tools', value: name, text });
  }
  for (const kind of ['runners', 'parsers', 'engines', 'schedules'] as const) {
    if (contributes[kind] !== undefined) described.push({ kind, value: '', text: contributionTexts[kind] });
  }
  for (const host of permissions.fetch ?? []) described.push({ kind: 'fetch', value: host, text: hostText(host) });
  for (const [name, field] of Object.entries(settings?.properties ?? {})) {
    if (!field['x-address']) continue;
    const label = field['x-label']?.en_US ?? name;
    described.push({
      kind: 'fetch_setting',
      value: name,
      text: `Sends HTTP requests to the address in its setting "${label}".`,
    });
  }
  for (const kind of ['storage', 'reply', 'send', 'files'] as const) {
    if (permissions[kind]) described.push({ kind, value: '', text: texts[kind][''] });
  }
  for (const value of permissions.models ?? []) described.push({ kind: 'models', value, text: texts.models[value] });
  for (const value of permissions.knowledge ?? []) {
    described.push({ kind: 'knowledge', value, text: texts.knowledge[value] });
  }
  for (const value of permissions.conversation ?? []) {
    described.push({ kind: 'conversation', value, text: texts.conversation[value] });
  }
  return described;
}

function hostText(host: string): string {
  if (host === '*') return 'Sends HTTP requests to any public address.';
  if (host.startsWith('*.')) return `Sends HTTP requests to all hosts below ${host.slice(2)}.`;
  return `Sends HTTP requests to ${host}.`;
}
