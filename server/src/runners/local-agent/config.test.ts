import { readConfig } from '@parley/sdk';
import { describe, expect, it } from 'vitest';
import { localAgentConfig, readLocalAgentSettings } from './config.ts';
import { localAgent } from './index.ts';

/** What the agent makes of a stored group. */
const settingsOf = (group: Record<string, unknown>, bases: string[] = []) =>
  readLocalAgentSettings(readConfig(localAgentConfig, group), bases);

describe('the settings of the agent', () => {
  it.each([
    ['a primary with fallbacks', { primary: 'a', fallbacks: ['b', 'c'] }, ['a', 'b', 'c']],
    ['fallbacks without a primary', { primary: '', fallbacks: ['b'] }, ['b']],
    ['one model twice', { primary: 'a', fallbacks: ['b', 'a', 'b'] }, ['a', 'b']],
    ['a primary alone, as stored by another version', { primary: 'a' }, []],
    ['an empty text', '', []],
    ['nothing', undefined, []],
    ['null', null, []],
    ['nonsense', { primary: 7, fallbacks: [null, {}, 'b', ' '] }, []],
    ['fallbacks that are no list', { primary: 'a', fallbacks: 'b' }, []],
    ['empty entries', { primary: ' ', fallbacks: ['', ' b '] }, ['b']],
    ['a list', ['a'], []],
  ])('have the models of %s', (_what, model, expected) => {
    expect(settingsOf({ model }).models).toEqual(expected);
  });

  const standard = [{ role: 'system', content: 'You are a helpful assistant.' }];
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
    ['no messages', [], []],
    ['an empty message', [{ role: 'system', content: ' ' }], []],
    ['a role it does not know', [{ role: 'tool', content: 'x' }], standard],
    ['nonsense', [null, 'x', 7, { role: 'system' }, { content: 'x' }], standard],
    ['nothing', undefined, standard],
  ])('have the prompt of %s', (_what, prompt, expected) => {
    expect(localAgent.prompt?.(readConfig(localAgentConfig, { prompt }))).toEqual(expected);
  });

  it.each<[Record<string, unknown>, [number, number]]>([
    [{}, [8, 300]],
    [{ 'max-tool-steps': 0, 'max-answer-seconds': 20 }, [0, 20]],
    [{ 'max-tool-steps': -1, 'max-answer-seconds': 0 }, [8, 300]],
    [{ 'max-tool-steps': 1e9, 'max-answer-seconds': 1e12 }, [8, 300]],
    [{ 'max-tool-steps': 2.7, 'max-answer-seconds': Number.NaN }, [8, 300]],
    [{ 'max-tool-steps': '5', 'max-answer-seconds': null }, [8, 300]],
  ])('have the limits of %j, or the defaults where those are invalid', (group, expected) => {
    const { maximumToolSteps, maximumAnswerSeconds } = settingsOf(group);
    expect([maximumToolSteps, maximumAnswerSeconds]).toEqual(expected);
  });

  it('skip empty knowledge bases', () => {
    expect(settingsOf({}, ['a', '', ' ', 'b']).knowledgeBases).toEqual(['a', 'b']);
  });

  it.each<[Record<string, unknown>, [string, string]]>([
    [{}, ['automatic', 'list']],
    [{ 'knowledge-mode': 'tool', citations: 'markers' }, ['tool', 'markers']],
    [{ 'knowledge-mode': 'both', citations: 'off' }, ['both', 'off']],
    [{ 'knowledge-mode': 'never', citations: true }, ['automatic', 'list']],
    [{ 'knowledge-mode': null, citations: ['off'] }, ['automatic', 'list']],
  ])('have the knowledge mode and citations of %j', (group, expected) => {
    const { knowledgeMode, citations } = settingsOf(group);
    expect([knowledgeMode, citations]).toEqual(expected);
  });
});
