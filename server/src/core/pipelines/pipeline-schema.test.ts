import { ParleyError } from '@parley/sdk';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { completeConfig } from '../../../test/factories/pipeline-schema.ts';

function faultsOf(partial: Record<string, unknown>): { path: string; message: string }[] {
  try {
    completeConfig(partial);
  } catch (error) {
    if (error instanceof ParleyError && error.reason === 'invalid_request') return error.details ?? [];
    throw error;
  }
  return [];
}

it('has every default, in which the names of the reference system stand', () => {
  const config = completeConfig({});
  expect(config).toMatchObject({
    trigger: { 'group-respond-rules': { at: true, prefix: ['ai'], regexp: [], random: 0 } },
    safety: { 'rate-limit': { 'window-length': 60, limitation: 60, strategy: 'drop' } },
    ai: {
      runner: { runner: 'local-agent' },
      'local-agent': {
        model: { primary: '', fallbacks: [] },
        'max-round': 10,
        prompt: [{ role: 'system', content: 'You are a helpful assistant.' }],
      },
    },
    output: { misc: { 'exception-handling': 'show-hint', 'failure-hint': 'Request failed.' } },
  });
  expect(completeConfig(structuredClone(config) as unknown as Record<string, unknown>)).toEqual(config);
});

it('is laid over the defaults; lists replace lists', () => {
  const config = completeConfig({
    trigger: { 'group-respond-rules': { prefix: [] } },
    output: { misc: { 'failure-hint': 'Sorry.' } },
  });
  expect(config.trigger['group-respond-rules']).toEqual({
    at: true,
    'all-mentions': false,
    prefix: [],
    regexp: [],
    random: 0,
  });
  expect(config.output.misc).toMatchObject({ 'failure-hint': 'Sorry.', 'exception-handling': 'show-hint' });
});

it('gives away none of its defaults', () => {
  const config = completeConfig({});
  config.trigger['group-respond-rules'].prefix.push('changed');
  config.ai['local-agent'].prompt.length = 0;
  expect(completeConfig({}).trigger['group-respond-rules'].prefix).toEqual(['ai']);
  expect(completeConfig({}).ai['local-agent'].prompt).toHaveLength(1);
});

it.each<[string, Record<string, unknown>, string]>([
  ['an unknown tab', { more: {} }, 'config.more'],
  ['an unknown group', { output: { more: {} } }, 'config.output.more'],
  ['an unknown field', { output: { misc: { 'a/b~c': 1 } } }, 'config.output.misc.a/b~c'],
  ['a text for a number', { ai: { 'local-agent': { 'max-round': 'ten' } } }, 'config.ai.local-agent.max-round'],
  ['a number out of range', { ai: { 'local-agent': { 'max-round': 0 } } }, 'config.ai.local-agent.max-round'],
  ['an unknown choice', { output: { misc: { 'exception-handling': 'x' } } }, 'config.output.misc.exception-handling'],
  [
    'a wrong part of a list',
    { ai: { 'local-agent': { prompt: [{ role: 'system' }] } } },
    'config.ai.local-agent.prompt[0].content',
  ],
  ['null for a tab', { ai: null }, 'config.ai'],
  ['a list for a group', { output: { misc: [] } }, 'config.output.misc'],
  ['a prototype', JSON.parse('{"ai": {"__proto__": {"runner": 1}}}'), 'config.ai.__proto__'],
])('with %s is refused with its place', (_, partial, path) => {
  expect(faultsOf(partial).map((fault) => fault.path)).toEqual([path]);
});

it('lists the allowed values, and limits the number of errors', () => {
  expect(faultsOf({ safety: { 'rate-limit': { strategy: 'x' } } })[0]?.message).toBe('must be one of drop, wait');
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`more${index}`, {}]));
  expect(faultsOf({ ai: many }).length).toBeLessThanOrEqual(20);
});

it('is complete or refused, whatever it is', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('ai', 'trigger', 'safety', 'output', 'x'), fc.jsonValue()), (partial) => {
      for (const fault of faultsOf(partial)) expect(fault.path).toMatch(/^config/);
    }),
  );
});
