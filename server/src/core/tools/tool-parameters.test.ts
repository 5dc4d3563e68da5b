import { describe, expect, it } from 'vitest';
import { readParameters } from './tool-parameters.ts';

describe('parameters of a tool', () => {
  it.each([undefined, null, '', {}])('may be omitted as %j', (given) => {
    expect(readParameters(given)).toEqual({ value: {}, json: '{}', fault: null });
  });

  it.each<[string, unknown, RegExp]>([
    ['a text', '{"query": "x"', /JSON object/],
    ['a number', 7, /JSON object/],
    ['a list', [1], /JSON object/],
    ['endless nesting', JSON.parse(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`), /nested/],
    ['an endless list', JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`), /nested/],
    ['a long text in it', { query: 'x'.repeat(300_000) }, /too long/],
  ])('must not be %s', (_, given, fault) => {
    expect(readParameters(given)).toMatchObject({ value: null, fault: expect.stringMatching(fault) });
  });
});
