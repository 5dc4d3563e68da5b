/** The groups of the list of guides, in order. */
export const guideGroups = ['start', 'use', 'platforms', 'operate', 'develop'] as const;

interface GuideEntry {
  /** As in its address: the file without `.md`, and with `-zh` for `.zh`. `platforms` is the README of its folder. */
  name: string;
  /** Its first heading. */
  title: string;
  group: (typeof guideGroups)[number];
  /** Of the text, if it is not English: shown in place of the English guide `of`. */
  language?: 'zh-Hans';
  of?: string;
}

/** Known without loading the texts; a test compares it with the files below `docs`. */
const entries = [
  { name: 'getting-started', title: 'Getting started', group: 'start' },
  { name: 'glossary', title: 'Glossary', group: 'start' },
  { name: 'bots', title: 'Bots', group: 'use' },
  { name: 'routing', title: 'Several pipelines for one bot', group: 'use' },
  { name: 'pipeline-editor', title: 'Edit a pipeline in the console', group: 'use' },
  { name: 'pipeline', title: 'Pipeline configuration', group: 'use' },
  { name: 'built-in-agent', title: 'Built-in agent', group: 'use' },
  { name: 'runners', title: 'Runners', group: 'use' },
  { name: 'knowledge', title: 'Knowledge', group: 'use' },
  { name: 'models', title: 'Models', group: 'use' },
  { name: 'mcp', title: 'MCP servers', group: 'use' },
  { name: 'chat', title: 'Chat', group: 'use' },
  { name: 'commands', title: 'Chat commands', group: 'use' },
  { name: 'messages', title: 'Message history and traces', group: 'use' },
  { name: 'platforms', title: 'Platforms', group: 'platforms' },
  { name: 'telegram', title: 'Telegram', group: 'platforms' },
  { name: 'discord', title: 'Discord', group: 'platforms' },
  { name: 'slack', title: 'Slack', group: 'platforms' },
  { name: 'lark', title: 'Lark and Feishu', group: 'platforms' },
  { name: 'lark-zh', title: '飞书与 Lark', group: 'platforms', language: 'zh-Hans', of: 'lark' },
  { name: 'dingtalk', title: 'DingTalk', group: 'platforms' },
  { name: 'dingtalk-zh', title: '钉钉', group: 'platforms', language: 'zh-Hans', of: 'dingtalk' },
  { name: 'wecombot', title: 'WeCom AI bot', group: 'platforms' },
  { name: 'wecombot-zh', title: '企业微信智能机器人', group: 'platforms', language: 'zh-Hans', of: 'wecombot' },
  { name: 'aiocqhttp', title: 'OneBot v11 (QQ)', group: 'platforms' },
  { name: 'aiocqhttp-zh', title: 'OneBot v11（QQ）', group: 'platforms', language: 'zh-Hans', of: 'aiocqhttp' },
  { name: 'accounts', title: 'Accounts', group: 'operate' },
  { name: 'alerts', title: 'Alerts', group: 'operate' },
  { name: 'monitoring', title: 'Monitoring', group: 'operate' },
  { name: 'configuration', title: 'Configuration', group: 'operate' },
  { name: 'storage', title: 'Storage', group: 'operate' },
  { name: 'replicas', title: 'Several replicas', group: 'operate' },
  { name: 'command-line', title: 'Command line', group: 'operate' },
  { name: 'api-keys', title: 'API keys', group: 'develop' },
  { name: 'access', title: 'Access', group: 'develop' },
  { name: 'errors', title: 'Errors', group: 'develop' },
  { name: 'webhooks', title: 'Outgoing webhooks', group: 'develop' },
  { name: 'events', title: 'Event stream', group: 'develop' },
  { name: 'web-chat', title: 'Web chat', group: 'develop' },
  { name: 'model-api', title: 'Pipelines as models', group: 'develop' },
  { name: 'compatibility', title: 'Compatibility', group: 'develop' },
  { name: 'extensions', title: 'Extensions', group: 'develop' },
  { name: 'plugins', title: 'Plugins', group: 'develop' },
  { name: 'writing-plugins', title: 'Write a plugin', group: 'develop' },
  { name: 'knowledge-engines', title: 'Parsers and knowledge engines', group: 'develop' },
] as const satisfies readonly GuideEntry[];

export type GuideName = (typeof entries)[number]['name'];

export interface Guide extends GuideEntry {
  name: GuideName;
  /** The path of its page. */
  address: string;
}

/** Every guide in every language that it is written in. */
export const guides: readonly Guide[] = entries.map((entry) => ({ ...entry, address: `/guides/${entry.name}` }));

/** Each guide once: in the language of the console if it is written in it, else in English. */
export function guidesIn(language: string): Guide[] {
  const translated = guides.filter((guide) => guide.language === language);
  return guides.filter(
    ({ name, language: own }) => own === language || (own === undefined && !translated.some(({ of }) => of === name)),
  );
}
