import { ParleyError } from '@parley/sdk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtInSchema, completeConfig } from '../../../test/factories/pipeline-schema.ts';
import { normalizeReferenceConfig } from './reference-config.ts';

/** Every field of the reference system's configuration, with the value that a new pipeline has there. */
const table: Record<string, Record<string, unknown>> = {
  'trigger.group-respond-rules': { at: true, prefix: ['ai'], regexp: [], random: 0 },
  'trigger.access-control': { mode: 'blacklist', blacklist: [], whitelist: [] },
  'trigger.ignore-rules': { prefix: [], regexp: [] },
  'trigger.message-aggregation': { enabled: false, delay: 1.5 },
  'trigger.misc': { 'combine-quote-message': true },
  'safety.content-filter': { scope: 'all', 'check-sensitive-words': true },
  'safety.rate-limit': { 'window-length': 60, limitation: 60, strategy: 'drop' },
  'ai.runner': { runner: 'local-agent' },
  'ai.local-agent': {
    model: { primary: '', fallbacks: [] },
    'max-round': 10,
    prompt: [{ role: 'system', content: 'You are a helpful assistant.' }],
    'knowledge-bases': [],
  },
  'ai.dify-service-api': {
    'base-url': 'https://api.dify.ai/v1',
    // The reference system omits this in a new pipeline and then fails because of it.
    'base-prompt': expect.stringMatching(/file/),
    'app-type': 'chat',
    'api-key': 'your-api-key',
    timeout: 30,
  },
  'ai.n8n-service-api': {
    'webhook-url': 'http://your-n8n-webhook-url',
    'auth-type': 'none',
    'basic-username': '',
    'basic-password': '',
    'jwt-secret': '',
    'jwt-algorithm': 'HS256',
    'header-name': '',
    'header-value': '',
    timeout: 120,
    'output-key': 'response',
  },
  'ai.coze-api': {
    'api-key': '',
    'bot-id': '',
    'api-base': 'https://api.coze.cn',
    'auto-save-history': true,
    timeout: 120,
  },
  'ai.tbox-app-api': { 'api-key': '', 'app-id': '' },
  'ai.dashscope-app-api': {
    'app-type': 'agent',
    'api-key': 'your-api-key',
    'app-id': 'your-app-id',
    references_quote: '参考资料来自:',
  },
  'ai.langflow-api': {
    'base-url': 'http://localhost:7860',
    'api-key': 'your-api-key',
    'flow-id': 'your-flow-id',
    'input-type': 'chat',
    'output-type': 'chat',
    tweaks: '{}',
  },
  'output.long-text-processing': { threshold: 1000, strategy: 'none', 'font-path': '' },
  'output.force-delay': { min: 0, max: 0 },
  'output.misc': {
    'exception-handling': 'show-hint',
    'failure-hint': 'Request failed.',
    'at-sender': true,
    'quote-origin': true,
    'track-function-calls': false,
    'remove-think': false,
  },
};

/** The choices of the reference system; each must be accepted. */
const choices: Record<string, string[]> = {
  'trigger.access-control.mode': ['blacklist', 'whitelist'],
  'safety.content-filter.scope': ['all', 'income-msg', 'output-msg'],
  'safety.rate-limit.strategy': ['drop', 'wait'],
  'ai.runner.runner': [
    'local-agent',
    'dify-service-api',
    'n8n-service-api',
    'coze-api',
    'tbox-app-api',
    'dashscope-app-api',
    'langflow-api',
  ],
  'ai.dify-service-api.app-type': ['chat', 'agent', 'workflow'],
  'ai.n8n-service-api.auth-type': ['none', 'basic', 'jwt', 'header'],
  'ai.dashscope-app-api.app-type': ['agent', 'workflow'],
  'output.long-text-processing.strategy': ['forward', 'image', 'none'],
  'output.misc.exception-handling': ['show-error', 'show-hint', 'hide'],
};

const sections = (config: object) => config as Record<string, Record<string, Record<string, unknown>>>;

/** The field's value in the completed form of a configuration with only this field. */
function completed(place: string, value: unknown, read = place): unknown {
  const [tab = '', group = '', field = ''] = place.split('.');
  const [, , readField = ''] = read.split('.');
  return sections(completeConfig({ [tab]: { [group]: { [field]: value } } }))[tab]?.[group]?.[readField];
}

/** Fields that the reference system does not have, by their group. */
const additions: Record<string, string[]> = {
  'trigger.group-respond-rules': ['all-mentions'],
  'ai.local-agent': [
    'max-history-tokens',
    'knowledge-mode',
    'citations',
    'tools',
    'max-tool-steps',
    'max-parallel-tools',
    'tool-timeout',
    'max-answer-seconds',
  ],
  'ai.tbox-app-api': ['base-url'],
  'output.long-text-processing': ['maximum-parts'],
  'ai.dashscope-app-api': ['base-url'],
  'output.misc': ['citation-links', 'citation-link-days', 'keep-model-requests', 'model-request-days'],
};

/** Groups that the reference system does not have. */
const ownGroups = ['ai.openai-responses', 'ai.http-api'];

const fields = Object.entries(table).flatMap(([group, values]) =>
  Object.entries(values).map(([field, value]) => ({ place: `${group}.${field}`, value })),
);

describe('the configuration of a new pipeline', () => {
  const config = sections(completeConfig({}));

  it('has exactly the tabs, groups and fields of the reference system, and a few extensions', () => {
    const groups = Object.entries(config).flatMap(([tab, inner]) =>
      Object.keys(inner).map((group) => `${tab}.${group}`),
    );
    expect(groups.filter((group) => !ownGroups.includes(group))).toEqual(Object.keys(table));
    for (const [place, values] of Object.entries(table)) {
      const [tab = '', group = ''] = place.split('.');
      const own = additions[place] ?? [];
      const names = Object.keys(config[tab]?.[group] ?? {});
      expect(
        names.filter((name) => !own.includes(name)),
        place,
      ).toEqual(Object.keys(values));
      expect(names.filter((name) => own.includes(name)).sort(), place).toEqual([...own].sort());
    }
  });

  it.each(fields)('has its value at $place', ({ place, value }) => {
    const [tab = '', group = '', field = ''] = place.split('.');
    expect(config[tab]?.[group]?.[field]).toEqual(value);
  });
});

it.each(Object.entries(choices))('takes every choice of %s and no other', (place, values) => {
  for (const value of values) expect(completed(place, value)).toBe(value);
  // Runners may come with extensions.
  if (place === 'ai.runner.runner') expect(completed(place, 'of-an-extension')).toBe('of-an-extension');
  else expect(() => completed(place, 'x')).toThrow(ParleyError);
});

describe('a configuration that the reference system wrote', () => {
  it('fits when it is that of a new pipeline there', () => {
    const written = structuredClone(completeConfig({})) as unknown as Record<string, Record<string, unknown>>;
    const ai = written.ai as Record<string, Record<string, unknown>>;
    delete ai['coze-api'];
    delete ai['tbox-app-api'];
    delete ai['dify-service-api']?.['base-prompt'];
    delete ai['dashscope-app-api']?.references_quote;
    ai['dashscope-app-api'] = { ...ai['dashscope-app-api'], 'references-quote': '参考资料来自:' };
    expect(completeConfig(written)).toEqual(completeConfig({}));
  });

  it.each<[string, unknown, string, unknown]>([
    ['ai.dashscope-app-api.references-quote', 'From:', 'ai.dashscope-app-api.references_quote', 'From:'],
    ['ai.langflow-api.input_type', 'any', 'ai.langflow-api.input-type', 'any'],
    ['ai.langflow-api.output_type', 'any', 'ai.langflow-api.output-type', 'any'],
    ['ai.coze-api.auto_save_history', false, 'ai.coze-api.auto-save-history', false],
    ['ai.coze-api.auto_save_history', 'False', 'ai.coze-api.auto-save-history', false],
    ['ai.local-agent.model', 'a-uuid', 'ai.local-agent.model', { primary: 'a-uuid', fallbacks: [] }],
    ['ai.local-agent.model', '', 'ai.local-agent.model', { primary: '', fallbacks: [] }],
    ['ai.local-agent.model', { primary: 'a' }, 'ai.local-agent.model', { primary: 'a', fallbacks: [] }],
    ['ai.local-agent.knowledge-base', 'a-uuid', 'ai.local-agent.knowledge-bases', ['a-uuid']],
    ['ai.local-agent.knowledge-base', '__none__', 'ai.local-agent.knowledge-bases', []],
    ['ai.local-agent.knowledge-base', '', 'ai.local-agent.knowledge-bases', []],
    ['trigger.message-aggregation.delay', 0.5, 'trigger.message-aggregation.delay', 1],
    ['trigger.message-aggregation.delay', '60', 'trigger.message-aggregation.delay', 10],
    ['ai.dify-service-api.timeout', 45, 'ai.dify-service-api.timeout', 45],
  ])('has %s = %j', (place, value, read, expected) => {
    expect(completed(place, value, read)).toEqual(expected);
  });

  it('counts the name that the reference system acts on, where it has two', () => {
    const ai = completeConfig({
      ai: {
        'dashscope-app-api': { references_quote: 'form', 'references-quote': 'template' },
        'langflow-api': { 'input-type': 'form', input_type: 'by hand', output_type: 'by hand', 'output-type': 'form' },
        'coze-api': { 'auto-save-history': true, auto_save_history: false },
        'local-agent': { 'knowledge-bases': ['several'], 'knowledge-base': 'one' },
      },
    }).ai;
    expect(ai['dashscope-app-api'].references_quote).toBe('form');
    expect(ai['langflow-api']).toMatchObject({ 'input-type': 'by hand', 'output-type': 'by hand' });
    expect(ai['coze-api']['auto-save-history']).toBe(false);
    expect(ai['local-agent']['knowledge-bases']).toEqual(['several']);
    const emptied = { 'knowledge-bases': [], 'knowledge-base': 'one' };
    expect(completeConfig({ ai: { 'local-agent': emptied } }).ai['local-agent']['knowledge-bases']).toEqual(['one']);
  });

  const ofType = (type: 'number' | 'boolean') => fields.filter(({ value }) => typeof value === type);

  it.each(ofType('number'))('may have the number at $place as a text', ({ place }) => {
    const [value, text] = place.endsWith('.random') ? [0.25, ' 2.5e-1 '] : [7, ' +7 '];
    expect(completed(place, text)).toBe(value);
    for (const wrong of [
      '',
      ' ',
      'seven',
      '7 7',
      '0x7',
      'Infinity',
      'NaN',
      '7,5',
      '1e999',
      '9'.repeat(400),
      true,
      null,
    ]) {
      expect(() => completed(place, wrong), String(wrong)).toThrow(ParleyError);
    }
  });

  it.each(ofType('boolean'))('may have the truth value at $place as a text', ({ place }) => {
    for (const text of ['true', 'True', ' YES ', 'on', '1']) expect(completed(place, text)).toBe(true);
    for (const text of ['false', 'False', ' no', 'OFF', '0']) expect(completed(place, text)).toBe(false);
    for (const wrong of ['', 'maybe', 'constructor', '__proto__', 1, 0, null]) {
      expect(() => completed(place, wrong), String(wrong)).toThrow(ParleyError);
    }
  });

  it('keeps texts that look like numbers where a text belongs', () => {
    expect(completed('output.misc.failure-hint', '42')).toBe('42');
    expect(completed('ai.coze-api.bot-id', 'true')).toBe('true');
    expect(() => completed('output.misc.failure-hint', 42)).toThrow(ParleyError);
  });

  it.each<[string, unknown, string]>([
    ['ai.local-agent.knowledge-base', 7, 'config.ai.local-agent.knowledge-base'],
    ['ai.local-agent.model', 7, 'config.ai.local-agent.model'],
    ['ai.local-agent.expire-time', 7, 'config.ai.local-agent.expire-time'],
    ['ai.langflow-api.input_type', 7, 'config.ai.langflow-api.input-type'],
    ['ai.tbox-app-api.app_id', 'a', 'config.ai.tbox-app-api.app_id'],
  ])('is refused with the place of %s = %j', (place, value, path) => {
    expect(() => completed(place, value)).toThrow(
      expect.objectContaining({ reason: 'invalid_request', details: [expect.objectContaining({ path })] }),
    );
  });

  const normalized = (config: Record<string, unknown>) =>
    normalizeReferenceConfig(builtInSchema.schema, config, 'local-agent');

  it('is not changed, whatever it is', () => {
    const anything = fc.dictionary(
      fc.constantFrom('ai', 'trigger', '__proto__', 'x'),
      fc.oneof(
        fc.jsonValue(),
        fc.dictionary(fc.constantFrom('local-agent', 'langflow-api', 'message-aggregation'), fc.jsonValue()),
      ),
    );
    fc.assert(
      fc.property(anything, (config) => {
        const before = JSON.stringify(config);
        const once = normalized(config);
        expect(JSON.stringify(config)).toBe(before);
        expect(normalized(once)).toEqual(once);
      }),
    );
  });

  it('may be as deep as a body can be', () => {
    const deep = `${'['.repeat(400_000)}${']'.repeat(400_000)}`;
    const config = JSON.parse(`{"ai": {"x": ${deep}, "local-agent": {"prompt": ${deep}, "knowledge-base": ${deep}}}}`);
    expect(() => completeConfig(config)).toThrow(ParleyError);
  });
});

describe('the group of a runner that is not installed', () => {
  const group = { 'api-key': 'sk-of-a-user', nested: { list: [1, { a: null }] } };

  it('is stored unchanged', () => {
    const config = completeConfig({ ai: { runner: { runner: 'plugin:a/b' }, 'plugin:a/b': group } });
    expect(sections(config).ai?.['plugin:a/b']).toEqual(group);
    expect(completeConfig(config)).toEqual(config);
  });

  it.each([
    ['is no object', { ai: { other: 1 } }, 'config.ai.other'],
    ['is null', { ai: { other: null } }, 'config.ai.other'],
    ['is in another tab', { output: { other: {} } }, 'config.output.other'],
    ['is one of many', { ai: Object.fromEntries(Array.from({ length: 101 }, (_, index) => [index, {}])) }, 'config.ai'],
  ])('is refused when it %s', (_, config, path) => {
    try {
      completeConfig(config);
      expect.unreachable();
    } catch (error) {
      expect((error as ParleyError).details?.map((detail) => detail.path)).toContain(path);
    }
  });
});
