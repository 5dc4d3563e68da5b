import { describe, expect, it } from 'vitest';
import { parseLocalAgentConfig } from './config.ts';

describe('parseLocalAgentConfig', () => {
  it.each([
    ['a primary with fallbacks', { primary: 'a', fallbacks: ['b', 'c'] }, ['a', 'b', 'c']],
    ['a primary alone', { primary: 'a' }, ['a']],
    ['fallbacks without a primary', { primary: '', fallbacks: ['b'] }, ['b']],
    ['one model twice', { primary: 'a', fallbacks: ['b', 'a', 'b'] }, ['a', 'b']],
    ['a plain uuid', 'a', ['a']],
    ['an empty text', '', []],
    ['nothing', undefined, []],
    ['null', null, []],
    ['nonsense', { primary: 7, fallbacks: [null, {}, 'b', ' '] }, ['b']],
    ['fallbacks that are no list', { primary: 'a', fallbacks: 'b' }, ['a']],
    ['a list', ['a'], []],
  ])('reads the models from %s', (_what, model, expected) => {
    expect(parseLocalAgentConfig({ model }).models).toEqual(expected);
  });

  it.each([
    [
      'messages',
      [
        { role: 'system', content: 'Be kind.' },
        { role: 'assistant', content: 'Hello!' },
        { role: 'user', content: 'Hi' },
      ],
      [
        { role: 'system', content: 'Be kind.' },
        { role: 'assistant', content: 'Hello!' },
        { role: 'user', content: 'Hi' },
      ],
    ],
    ['a plain text', 'Be kind.', [{ role: 'system', content: 'Be kind.' }]],
    [
      'parts',
      [
        {
          role: 'system',
          content: [{ type: 'text', text: 'Be ' }, { type: 'image_url' }, { type: 'text', text: 'kind.' }],
        },
      ],
      [{ role: 'system', content: 'Be kind.' }],
    ],
    ['an empty message', [{ role: 'system', content: ' ' }], []],
    ['a role it does not know', [{ role: 'tool', content: 'x' }], []],
    ['nonsense', [null, 'x', 7, { role: 'system' }, { content: 'x' }], []],
    ['nothing', undefined, []],
  ])('reads the prompt from %s', (_what, prompt, expected) => {
    expect(parseLocalAgentConfig({ prompt }).prompt).toEqual(expected);
  });

  it.each<[Record<string, unknown>, [number, number]]>([
    [{}, [8, 300]],
    [{ 'max-tool-steps': 0, 'max-answer-seconds': 20 }, [0, 20]],
    [{ 'max-tool-steps': -1, 'max-answer-seconds': 0 }, [0, 1]],
    [{ 'max-tool-steps': 1e9, 'max-answer-seconds': 1e12 }, [100, 86_400]],
    [{ 'max-tool-steps': 2.7, 'max-answer-seconds': Number.NaN }, [2, 300]],
    [{ 'max-tool-steps': '5', 'max-answer-seconds': null }, [8, 300]],
  ])('reads the limits from %j', (group, expected) => {
    const { maximumToolSteps, maximumAnswerSeconds } = parseLocalAgentConfig(group);
    expect([maximumToolSteps, maximumAnswerSeconds]).toEqual(expected);
  });

  it.each([
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    [['a', '', null, 7], ['a']],
    ['a', []],
    [undefined, []],
  ])('reads the knowledge bases from %j', (value, expected) => {
    expect(parseLocalAgentConfig({ 'knowledge-bases': value }).knowledgeBases).toEqual(expected);
  });

  it.each<[Record<string, unknown>, [string, string]]>([
    [{}, ['automatic', 'list']],
    [{ 'knowledge-mode': 'tool', citations: 'markers' }, ['tool', 'markers']],
    [{ 'knowledge-mode': 'both', citations: 'off' }, ['both', 'off']],
    [{ 'knowledge-mode': 'never', citations: true }, ['automatic', 'list']],
    [{ 'knowledge-mode': null, citations: ['off'] }, ['automatic', 'list']],
  ])('reads the knowledge mode and citations from %j', (group, expected) => {
    const { knowledgeMode, citations } = parseLocalAgentConfig(group);
    expect([knowledgeMode, citations]).toEqual(expected);
  });
});
