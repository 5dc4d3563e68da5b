import type { I18nText } from '@parley/sdk';
import { describe, expect, it } from 'vitest';
import { builtInSchema, completeConfig } from '../../../test/factories/pipeline-schema.ts';
import type { FormField } from '../forms/form-fields.ts';

/**
 * Metadata of each field for clients of the reference system, in order: its type, `*` if required, and after a colon
 * the options or suggestions.
 */
const table: Record<string, Record<string, string>> = {
  'trigger.group-respond-rules': {
    at: 'boolean*',
    'all-mentions': 'boolean*',
    prefix: 'array[string]*',
    regexp: 'array[string]*',
    random: 'float',
  },
  'trigger.access-control': {
    mode: 'select*:blacklist,whitelist',
    blacklist: 'array[string]*',
    whitelist: 'array[string]*',
  },
  'trigger.ignore-rules': { prefix: 'array[string]*', regexp: 'array[string]*' },
  'trigger.message-aggregation': { enabled: 'boolean*', delay: 'float*' },
  'trigger.misc': { 'combine-quote-message': 'boolean*' },
  'safety.content-filter': { scope: 'select*:all,income-msg,output-msg', 'check-sensitive-words': 'boolean*' },
  'safety.rate-limit': { 'window-length': 'integer*', limitation: 'integer*', strategy: 'select*:drop,wait' },
  'ai.runner': {
    runner:
      'select*:local-agent,dify-service-api,n8n-service-api,coze-api,tbox-app-api,dashscope-app-api,langflow-api,openai-responses,http-api',
  },
  'ai.local-agent': {
    model: 'model-fallback-selector*',
    'max-round': 'integer*',
    'max-history-tokens': 'integer*',
    prompt: 'prompt-editor*',
    'knowledge-bases': 'knowledge-base-multi-selector',
    'knowledge-mode': 'select*:automatic,tool,both',
    citations: 'select*:list,markers,off',
    tools: 'array[string]',
    'max-tool-steps': 'integer*',
    'max-parallel-tools': 'integer*',
    'tool-timeout': 'integer*',
    'max-answer-seconds': 'integer*',
  },
  'ai.dify-service-api': {
    'base-url': 'string*:https://api.dify.ai/v1',
    'base-prompt': 'string*',
    'app-type': 'select*:chat,agent,workflow',
    'api-key': 'string*',
    timeout: 'float',
  },
  'ai.n8n-service-api': {
    'webhook-url': 'string*',
    'auth-type': 'select*:none,basic,jwt,header',
    'basic-username': 'string',
    'basic-password': 'string',
    'jwt-secret': 'string',
    'jwt-algorithm': 'string',
    'header-name': 'string',
    'header-value': 'string',
    timeout: 'integer',
    'output-key': 'string',
  },
  'ai.coze-api': {
    'api-key': 'string*',
    'bot-id': 'string*',
    'api-base': 'string:https://api.coze.cn,https://api.coze.com',
    'auto-save-history': 'boolean',
    timeout: 'number',
  },
  'ai.tbox-app-api': { 'api-key': 'string*', 'app-id': 'string*', 'base-url': 'string' },
  'ai.dashscope-app-api': {
    'app-type': 'select*:agent,workflow',
    'api-key': 'string*',
    'app-id': 'string*',
    references_quote: 'string',
    'base-url': 'string:https://dashscope.aliyuncs.com/api/v1,https://dashscope-intl.aliyuncs.com/api/v1',
  },
  'ai.langflow-api': {
    'base-url': 'string*',
    'api-key': 'string*',
    'flow-id': 'string*',
    'input-type': 'string',
    'output-type': 'string',
    tweaks: 'json',
  },
  'ai.openai-responses': {
    'base-url': 'string*:https://api.openai.com/v1',
    'api-key': 'string',
    model: 'string*',
    instructions: 'string',
    timeout: 'number',
  },
  'ai.http-api': {
    url: 'string*',
    'header-name': 'string',
    'header-value': 'string',
    timeout: 'float',
    'send-files': 'boolean',
  },
  'output.long-text-processing': {
    threshold: 'integer*',
    strategy: 'select*:forward,image,none',
    'maximum-parts': 'integer*',
    'font-path': 'string',
  },
  'output.force-delay': { min: 'integer*', max: 'integer*' },
  'output.misc': {
    'exception-handling': 'select*:show-error,show-hint,hide',
    'failure-hint': 'string',
    'at-sender': 'boolean*',
    'quote-origin': 'boolean*',
    'track-function-calls': 'boolean*',
    'citation-links': 'boolean*',
    'citation-link-days': 'integer*',
    'keep-model-requests': 'boolean*',
    'model-request-days': 'integer*',
    'remove-think': 'boolean*',
  },
};

const { form } = builtInSchema;
const groups = form.flatMap((tab) =>
  tab.stages.map((stage) => ({ ...stage, tab: tab.name, place: `${tab.name}.${stage.name}` })),
);
const described = ({ type, required, options }: FormField) =>
  `${type}${required ? '*' : ''}${options === undefined ? '' : `:${options.map(({ name }) => name).join(',')}`}`;

describe('the form of a pipeline', () => {
  it('has the tabs and groups that clients know, in their order', () => {
    expect(form.map(({ name }) => name)).toEqual(['trigger', 'safety', 'ai', 'output']);
    expect(groups.map(({ place }) => place)).toEqual(Object.keys(table));
  });

  it.each(groups)('has the fields of $place that clients know', ({ place, config }) => {
    expect(Object.entries(table[place] ?? {})).toEqual(config.map((field) => [field.name, described(field)]));
  });

  it.each(groups)('has the defaults of a new pipeline in $place', ({ tab, name, config }) => {
    const values = (completeConfig({}) as Record<string, Record<string, Record<string, unknown>>>)[tab]?.[name];
    for (const field of config) expect(field.default, field.name).toEqual(values?.[field.name]);
  });

  it('offers each runner whose group there is, and no other', () => {
    const ai = form.find(({ name }) => name === 'ai');
    const runners = ai?.stages[0]?.config[0]?.options?.map(({ name }) => name);
    expect(runners).toEqual(ai?.stages.slice(1).map(({ name }) => name));
  });

  it('is written in English and in Simplified Chinese', () => {
    const texts: [string, I18nText | undefined][] = form.flatMap((tab): [string, I18nText | undefined][] => [
      [tab.name, tab.label],
      ...tab.stages.flatMap((stage): [string, I18nText | undefined][] => [
        [stage.name, stage.label],
        [stage.name, stage.description],
        ...stage.config.flatMap((field): [string, I18nText | undefined][] => [
          [field.name, field.label],
          [field.name, field.description],
          ...(field.options ?? []).map(({ name, label }): [string, I18nText] => [name, label]),
        ]),
      ]),
    ]);
    expect(texts.length).toBeGreaterThan(150);
    for (const [name, text] of texts) {
      if (text === undefined) continue;
      expect(text.en_US, name).not.toBe('');
      expect(text.en_US, name).not.toMatch(/\p{Script=Han}/u);
      expect(text.zh_Hans ?? '', name).not.toBe('');
    }
  });

  it('requires only the fields of the chosen authentication, and keeps the first set-up short', () => {
    const shown = groups.flatMap(({ place, config }) =>
      config.flatMap((field) => (field.show_if === undefined ? [] : [[`${place}.${field.name}`, field.show_if]])),
    );
    const when = (value: string) => ({ field: 'auth-type', operator: 'eq', value });
    const outsideWizard = { field: '__system.is_wizard', operator: 'neq', value: true };
    expect(Object.fromEntries(shown)).toEqual({
      'trigger.group-respond-rules.all-mentions': { field: 'at', operator: 'eq', value: true },
      'ai.local-agent.max-round': outsideWizard,
      'ai.local-agent.max-history-tokens': outsideWizard,
      'ai.local-agent.knowledge-bases': outsideWizard,
      'ai.local-agent.knowledge-mode': outsideWizard,
      'ai.local-agent.citations': outsideWizard,
      'ai.local-agent.tools': outsideWizard,
      'ai.local-agent.max-tool-steps': outsideWizard,
      'ai.local-agent.max-parallel-tools': outsideWizard,
      'ai.local-agent.tool-timeout': outsideWizard,
      'ai.local-agent.max-answer-seconds': outsideWizard,
      'ai.n8n-service-api.basic-username': when('basic'),
      'ai.n8n-service-api.basic-password': when('basic'),
      'ai.n8n-service-api.jwt-secret': when('jwt'),
      'ai.n8n-service-api.jwt-algorithm': when('jwt'),
      'ai.n8n-service-api.header-name': when('header'),
      'ai.n8n-service-api.header-value': when('header'),
      'output.misc.citation-link-days': { field: 'citation-links', operator: 'eq', value: true },
      'output.misc.model-request-days': { field: 'keep-model-requests', operator: 'eq', value: true },
    });
  });

  it('says which fields are secret', () => {
    const secrets = groups.flatMap(({ place, config }) =>
      config.filter(({ secret }) => secret).map(({ name }) => `${place}.${name}`),
    );
    expect(secrets).toEqual([
      'ai.dify-service-api.api-key',
      'ai.n8n-service-api.basic-password',
      'ai.n8n-service-api.jwt-secret',
      'ai.n8n-service-api.header-value',
      'ai.coze-api.api-key',
      'ai.tbox-app-api.api-key',
      'ai.dashscope-app-api.api-key',
      'ai.langflow-api.api-key',
      'ai.openai-responses.api-key',
      'ai.http-api.header-value',
    ]);
  });
});
