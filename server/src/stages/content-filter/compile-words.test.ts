import { expect, it } from 'vitest';
import { compileWords } from './compile-words.ts';

const compile = (words: string[]) => compileWords({ words, mask: '*', mask_word: '' });

it.each<[string, string]>([
  ['(', 'cannot be used as a regular expression'],
  ['a**', 'cannot be used as a regular expression'],
  ['(?=a)b', 'Look-around and back-references are not possible'],
  ['(a)\\1', 'Look-around and back-references are not possible'],
  ['a*', 'matches where there is nothing'],
  ['^', 'matches where there is nothing'],
  ['\\b', 'matches where there is nothing'],
  ['', 'must not be empty'],
  ['a\ud800', 'contains half of a surrogate pair'],
  ['(?:(?:[a-z]{100}){20}){20}', 'cannot be used'],
])('refuses %j by its place', async (word, message) => {
  await expect(compile(['fine', word, 'f.ne'])).rejects.toMatchObject({
    reason: 'invalid_request',
    details: [{ path: 'words[1]', message: expect.stringContaining(message) }],
  });
});

it('names at most twenty faults', async () => {
  const faults = await compile(Array.from({ length: 100 }, () => '(')).catch((error) => error.details);
  expect(faults).toHaveLength(20);
});

it('accepts the maximum number of words, and few enough expressions', async () => {
  const words = Array.from({ length: 10_000 }, (_, index) => `word ${index}`);
  expect((await compile(words)).patterns).toEqual([]);
  const expressions = Array.from({ length: 501 }, (_, index) => `w.${index}`);
  expect((await compile(expressions.slice(1))).patterns).toHaveLength(500);
  await expect(compile(expressions)).rejects.toMatchObject({ details: [{ path: 'words[500]' }] });
});

it('takes expressions of Python, but not too large ones together', async () => {
  expect((await compile(['\\u4e2d.', '(?P<name>a)b'])).patterns).toHaveLength(2);
  const large = Array.from({ length: 60 }, (_, index) => `${index}(?:ab){900}`);
  await expect(compile(large)).rejects.toMatchObject({
    details: expect.arrayContaining([
      { path: 'words[59]', message: expect.stringContaining('total size'), rule: 'patternSize' },
    ]),
  });
});

it('lets others work while it compiles a large list', async () => {
  const words = Array.from({ length: 10_000 }, (_, index) => `${index}`.padStart(200, 'word'));
  let longest = 0;
  // Other work of the machine does not count.
  let last = process.threadCpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, (user + system) / 1000);
    last = process.threadCpuUsage();
  });
  await compile(words);
  clearInterval(timer);
  // In one go it would take more than a second.
  expect(longest).toBeLessThan(500);
});
