import i18next from 'i18next';
import { expect, it } from 'vitest';
import { english } from '../../testing/texts.ts';
import { nameOrGone } from './name-or-gone.ts';

it('marks deleted bots and pipelines, whose name is their id, and missing ones', () => {
  expect(nameOrGone('Helper', 'b1', i18next.t)).toBe('Helper');
  expect(nameOrGone('b1', 'b1', i18next.t)).toBe(english.common.gone);
  expect(nameOrGone('', '', i18next.t)).toBe(english.common.none);
});
