import type { MessageChain } from '@parley/sdk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCommand } from './parse-command.ts';

const prefixes = ['!', '！'];
const bot = 'bot-1';
const plain = (text: string) => ({ type: 'Plain', text }) as const;
const parse = (...chain: MessageChain) => parseCommand(chain, bot, prefixes);

describe('a command is read', () => {
  it.each<[string, MessageChain, string, string[]]>([
    ['alone', [plain('!reset')], 'reset', []],
    ['with the other prefix', [plain('！reset')], 'reset', []],
    ['in capitals', [plain('!ReSet')], 'reset', []],
    ['with parameters', [plain('!model  gpt-4o\t mini \n')], 'model', ['gpt-4o', 'mini']],
    ['in another alphabet', [plain('！帮助 模型')], '帮助', ['模型']],
    ['behind white space', [plain(' \n\t!help')], 'help', []],
    ['behind a mention', [{ type: 'At', target: bot }, plain(' !help')], 'help', []],
    ['behind mentions', [{ type: 'At', target: bot }, plain(' '), { type: 'At', target: bot }, plain('!a')], 'a', []],
    ['after elements without content', [{ type: 'Source', id: 1, timestamp: 1 }, plain('!help')], 'help', []],
    ['behind a quote', [{ type: 'Quote', origin: [plain('!model x')] }, plain('!help')], 'help', []],
    [
      'in several elements',
      [plain('!mo'), plain('del a'), { type: 'At', target: 5, display: 'Ann' }],
      'model',
      ['a@Ann'],
    ],
  ])('%s', (_, chain, name, parameters) => {
    expect(parse(...chain)).toMatchObject({ name, parameters });
  });

  it('with the longest matching prefix', () => {
    const read = (text: string) => parseCommand([plain(text)], null, ['!', '!!', '/ai ']);
    expect(read('!!help')).toEqual({ name: 'help', parameters: [], prefix: '!!' });
    expect(read('!help')).toMatchObject({ prefix: '!' });
    expect(read('/ai help me')).toEqual({ name: 'help', parameters: ['me'], prefix: '/ai ' });
  });

  it('when the id of the bot is a number on the platform', () => {
    expect(parseCommand([{ type: 'At', target: 42 }, plain('!help')], '42', prefixes)).toMatchObject({ name: 'help' });
  });

  it('however long the message is', () => {
    const read = parse(plain(`!model ${'x '.repeat(1_000_000)}`));
    expect(read?.name).toBe('model');
    expect(read?.parameters.length).toBeLessThan(1000);
    expect(parse(plain(`!${'x'.repeat(1_000_000)}`))?.name.length).toBeLessThan(2001);
  });
});

describe('no command', () => {
  it.each<[string, MessageChain]>([
    ['is empty', []],
    ['is an empty text', [plain('')]],
    ['is a text', [plain('help')]],
    ['is a prefix alone', [plain('!')]],
    ['is a prefix with a space', [plain('! help')]],
    ['is a prefix with a digit', [plain('!1')]],
    ['is an exclamation', [plain('!!! help')]],
    ['is a prefix later on', [plain('say !help')]],
    ['follows a mention of another user', [{ type: 'At', target: 'ann' }, plain('!help')]],
    ['follows a mention of all', [{ type: 'AtAll' }, plain('!help')]],
    ['follows an image', [{ type: 'Image', url: 'https://example.com/!' }, plain('!help')]],
    ['is quoted', [{ type: 'Quote', origin: [plain('!help')] }]],
    ['is a mention alone', [{ type: 'At', target: bot }]],
  ])('%s', (_, chain) => {
    expect(parse(...chain)).toBeNull();
  });

  it('is behind a mention of a bot that does not know its id', () => {
    expect(parseCommand([{ type: 'At', target: 'null' }, plain('!help')], null, prefixes)).toBeNull();
  });

  it('is there without prefixes', () => {
    expect(parseCommand([plain('!help')], null, [])).toBeNull();
  });
});

it('parses any text as the command that it is, or as none', () => {
  const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,10}$/);
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), fc.constantFrom(...prefixes), (words, prefix) => {
      const [name, ...parameters] = words;
      expect(parse(plain(prefix + words.join('  ')))).toEqual({ name, parameters, prefix });
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (text) => {
      const read = parse(plain(text));
      if (read === null) return;
      expect(text.trimStart().startsWith(read.prefix)).toBe(true);
      expect([read.name, ...read.parameters].filter((part) => /\s/.test(part))).toEqual([]);
    }),
  );
});
