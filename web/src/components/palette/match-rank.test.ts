import { expect, it } from 'vitest';
import { matchRank, ranks } from './match-rank.ts';

const bots = Array.from({ length: 200 }, (_, index) => `Bot ${String(index).padStart(3, '0')}`);
const foundBy = (search: string, names: readonly string[]) => names.filter((name) => matchRank(search, name) !== null);

it.each<[string, string, number | null]>([
  ['bot 017', 'Bot 017', ranks.exact],
  ['  BOT   017 ', 'Bot 017', ranks.exact],
  ['bot', 'Bot 017', ranks.prefix],
  ['017', 'Bot 017', ranks.words],
  ['017 bot', 'Bot 017', ranks.words],
  ['ot 0', 'Bot 017', ranks.within],
  ['pipelnie', 'Pipelines', ranks.almost],
  ['pipelines', 'Piplines', ranks.almost],
  ['webhok', 'Webhooks', ranks.almost],
  ['setings', 'Settings', ranks.almost],
  ['ボット', 'ボット一覧', ranks.prefix],
  ['ＢＯＴ', 'bot', ranks.exact],
  ['bot 17', 'Bot 117', ranks.other],
  ['bot 17', 'Bot 118', null],
  ['bats', 'Bots', null],
  ['', 'Bots', null],
])('finds %j in %j with rank %j', (search, name, rank) => {
  expect(matchRank(search, name)).toBe(rank);
});

it('finds no other number and no letters that are scattered over a name', () => {
  expect(foundBy('bot 017', bots)).toEqual(['Bot 017']);
  expect(foundBy('E17', bots)).toEqual([]);
  expect(foundBy('btos', bots)).toEqual([]);
});

it('finds words of other texts after those of the name', () => {
  expect(matchRank('lifetime', 'Session', 'token_lifetime_seconds')).toBe(ranks.other);
  expect(matchRank('session lifetime', 'Session', 'token_lifetime_seconds')).toBe(ranks.other);
});
