import type { ConversationTurn } from '@parley/sdk';
import { estimateTokenCount } from 'tokenx';
import { describe, expect, it } from 'vitest';
import { countRounds, latestRounds, truncateHistory } from './history-limits.ts';

const turn = (role: ConversationTurn['role'], text: string): ConversationTurn => ({
  role,
  text,
  message_chain: [{ type: 'Plain', text }],
});
const texts = (turns: ConversationTurn[]) => turns.map(({ text }) => text);

/** Three rounds, the second with an answer of two turns, and an unsolicited message before them. */
const turns = [
  turn('assistant', 'Good morning everybody'),
  turn('user', 'How long is the river'),
  turn('assistant', 'Nearly six hundred kilometres'),
  turn('user', 'And how deep'),
  turn('assistant', 'Ten metres at most'),
  turn('assistant', 'Somewhat less in summer'),
  turn('user', 'Thank you'),
  turn('assistant', 'You are welcome'),
];
const tokensFrom = (index: number) =>
  turns.slice(index).reduce((sum, { text }) => sum + 4 + estimateTokenCount(text), 0);

describe('ai.local-agent.max-history-tokens: the history that a model is shown', () => {
  it.each([0, tokensFrom(0), 1_000_000])('is complete with a limit of %d tokens', (tokens) => {
    expect(truncateHistory(turns, { tokens })).toEqual(turns);
  });

  it.each([
    ['without the unsolicited message', tokensFrom(0) - 1, 1],
    ['without the first round', tokensFrom(1) - 1, 3],
    ['with the last two rounds exactly', tokensFrom(3), 3],
    ['never with half a round', tokensFrom(4), 6],
    ['with the last round exactly', tokensFrom(6), 6],
    ['empty when even the last round is too long', tokensFrom(6) - 1, 8],
    ['empty when hardly anything fits', 1, 8],
  ])('is %s', (_, tokens, start) => {
    expect(texts(truncateHistory(turns, { tokens }))).toEqual(texts(turns.slice(start)));
  });

  it('may be empty', () => {
    expect(truncateHistory([], { tokens: 10 })).toEqual([]);
    expect(truncateHistory([], { tokens: 0 })).toEqual([]);
  });

  it.each([
    [3, 0],
    [100, 0],
    [2, 3],
    [1, 6],
    [0, 8],
    [-1, 8],
  ])('has its last %d rounds', (rounds, start) => {
    expect(countRounds(turns)).toBe(3);
    expect(latestRounds(turns, rounds)).toEqual(turns.slice(start));
    expect(latestRounds([], rounds)).toEqual([]);
  });

  it('counts writing without spaces as well', () => {
    const long = [turn('user', '今天天气很好'.repeat(200)), turn('assistant', '是的'), turn('user', '再见')];
    expect(texts(truncateHistory(long, { tokens: 200 }))).toEqual(['再见']);
  });

  it('does not modify its input', () => {
    const given = structuredClone(turns);
    truncateHistory(given, { tokens: 10 });
    expect(given).toEqual(turns);
  });

  it('takes long texts in little time', () => {
    const long = Array.from({ length: 200 }, (_, index) => turn('user', `${index} ${'word '.repeat(10_000)}`));
    const started = performance.now();
    expect(truncateHistory(long, { tokens: 16_000 })).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});
