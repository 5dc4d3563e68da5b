import { setFlagsFromString } from 'node:v8';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isBase64, isLooseBase64 } from './base64.ts';

describe('base64', () => {
  it.each(['QQ==', 'QUI=', 'QUJD', 'ab+/', 'Q'])('is %j, strictly and loosely', (text) => {
    expect([isBase64(text), isLooseBase64(text)]).toEqual([true, true]);
  });

  it.each(['ab-_', 'QUJD\nQUJD', 'QUJD\n', ' QUJD', 'QQ==\n'])('is %j loosely only', (text) => {
    expect([isBase64(text), isLooseBase64(text)]).toEqual([false, true]);
  });

  it.each(['', '=', '==', 'QQ===', 'Q=Q', 'a b!', 'é', 'QUJD;'])('is not %j', (text) => {
    expect([isBase64(text), isLooseBase64(text)]).toEqual([false, false]);
  });
});

describe('a long text, where the engine no longer optimizes patterns', () => {
  const long = 'A'.repeat(20_000_000);
  beforeAll(() => setFlagsFromString('--no-regexp-optimization'));
  afterAll(() => setFlagsFromString('--regexp-optimization'));

  it('is read to its end', () => {
    expect([isBase64(`${long}==`), isLooseBase64(`${long}\n`)]).toEqual([true, true]);
    expect([isBase64(`${long}!`), isLooseBase64(`${long}!`)]).toEqual([false, false]);
  });
});
