import i18next from 'i18next';
import { expect, it } from 'vitest';
import { english } from '../../locales/en/index.ts';
import { type FieldSources, fieldLabel } from './field-labels.ts';

const { labels } = english.audit;
const text = (en_US: string) => ({ en_US });
const field = (name: string, label: string) => ({ name, label: text(label), type: 'string', required: false });
const sources = {
  adapters: [{ name: 'far', spec: { config: [field('token', 'Token of the far one')] } }],
  pipelineForm: [
    {
      name: 'ai',
      label: text('AI'),
      stages: [{ name: 'local-agent', label: text('Agent'), config: [field('prompt', 'What to say')] }],
    },
  ],
} as unknown as FieldSources;
const entry = (record_kind: string) => ({ record_kind, before: null, after: { adapter: 'far' } });
const labelOf = (kind: string, path: string) => fieldLabel(entry(kind), path, sources, i18next.t);

it('names fields as the console does', () => {
  expect(labelOf('provider', 'base_url')).toBe(labels.base_url);
  expect(labelOf('mcp-server', 'extra_args.headers.Authorization')).toBe(`${labels.extra_args_headers}: Authorization`);
  expect(labelOf('bot', 'adapter_config.token')).toBe('Token of the far one');
  expect(labelOf('pipeline', 'config.ai.local-agent.prompt')).toBe('What to say');
});

it('names no field that it does not know', () => {
  expect(labelOf('bot', 'adapter_config.other')).toBeNull();
  expect(labelOf('pipeline', 'config.ai.local-agent.other')).toBeNull();
  expect(labelOf('provider', 'something_else')).toBeNull();
});
