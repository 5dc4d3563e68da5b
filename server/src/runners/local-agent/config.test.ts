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
});
