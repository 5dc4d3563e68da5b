import { expect, it } from 'vitest';
import { preferredModel } from './preferred-model.ts';

it.each([
  [['gpt-test'], 'gpt-test'],
  [['text-embedding-3-small', 'whisper-1', 'gpt-4o', 'gpt-5'], 'gpt-4o'],
  [['dall-e-3', 'tts-1'], 'dall-e-3'],
  [[], ''],
])('of %j it is %j', (names, expected) => {
  expect(preferredModel(names)).toBe(expected);
});
