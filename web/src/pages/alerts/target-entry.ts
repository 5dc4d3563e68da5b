import type { Language } from '../../lib/i18n.ts';
import type { AlertTarget } from './alert-queries.ts';

export const targetKinds = ['email', 'webhook', 'chat'] as const satisfies AlertTarget['kind'][];
export const encryptions = ['starttls', 'tls', 'none'] as const;

/** A target as its form has it. */
export interface TargetEntry {
  name: string;
  kind: AlertTarget['kind'];
  language: Language;
  host: string;
  port: string;
  encryption: (typeof encryptions)[number];
  user: string;
  password: string;
  from: string;
  to: string[];
  url: string;
  bot_uuid: string;
  target_type: 'person' | 'group';
  target_id: string;
}

export const emptyTarget: TargetEntry = {
  name: '',
  kind: 'email',
  language: 'en',
  host: '',
  port: '587',
  encryption: 'starttls',
  user: '',
  password: '',
  from: '',
  to: [],
  url: '',
  bot_uuid: '',
  target_type: 'person',
  target_id: '',
};

export function entryOf({ name, kind, language, config }: AlertTarget): TargetEntry {
  return { ...emptyTarget, ...config, name, kind, language, port: String(config.port ?? emptyTarget.port) };
}

/** What the API takes. */
export function bodyOf(entry: TargetEntry) {
  return { name: entry.name.trim(), language: entry.language, config: configOf(entry) };
}

function configOf(entry: TargetEntry): AlertTarget['config'] {
  switch (entry.kind) {
    case 'email': {
      const { encryption, user, password, to } = entry;
      const port = Number(entry.port.trim());
      return { host: entry.host.trim(), port, encryption, user: user.trim(), password, from: entry.from.trim(), to };
    }
    case 'webhook':
      return { url: entry.url.trim() };
    case 'chat': {
      const { bot_uuid, target_type } = entry;
      return { bot_uuid, target_type, target_id: entry.target_id.trim() };
    }
  }
}
