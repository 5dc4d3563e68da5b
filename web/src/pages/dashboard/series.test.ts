import { expect, it } from 'vitest';
import { added, stepsOf, withOthers } from './series.ts';

it('what is not told apart is one more line, where there is any', () => {
  const lines = [
    { name: 'a', values: [1, 0.1, null] },
    { name: 'b', values: [2, 0.2, 0] },
  ];
  expect(withOthers(lines, [5, 0.3, null], 'rest')).toEqual([...lines, { name: 'rest', values: [2, 0, 0] }]);
  expect(withOthers(lines, [3, 0.3, 0], 'rest')).toEqual(lines);
});

it('lines are added up; where none knows anything, nothing is known', () => {
  expect(added([1, null, null], [2, 3, null])).toEqual([3, 3, null]);
});

it('a short span is cut into hours, a long one into days, from the first whole one', () => {
  const to = '2026-11-21T12:30:00.000Z';
  expect(stepsOf({ from: '2026-11-20T12:30:00.000Z', to })).toEqual({
    interval: 'hour',
    from: '2026-11-20T13:00:00.000Z',
  });
  expect(stepsOf({ from: '2026-11-14T12:30:00.000Z', to })).toEqual({
    interval: 'day',
    from: '2026-11-15T00:00:00.000Z',
  });
  expect(stepsOf({ from: '2026-11-21T12:10:00.000Z', to })).toEqual({
    interval: 'hour',
    from: '2026-11-21T12:10:00.000Z',
  });
});
