import i18next from 'i18next';
import { expect, it } from 'vitest';
import { english } from '../../locales/en/index.ts';
import { eventText } from './event-text.ts';

const texts = english.bots;
const lost = { code: 'connection_lost', reason: 'platform_failed' } as const;

it('names the event and its reason in languages other than English', () => {
  expect(eventText(lost, 'ja', i18next.t)).toBe(`${texts.events.connection_lost}: ${english.reasons.platform_failed}`);
  expect(eventText({ code: 'connected', reason: null }, 'zh-Hans', i18next.t)).toBe(texts.events.connected);
});

it('leaves messages, and English, to the text of the entry', () => {
  expect(eventText({ code: null, reason: null }, 'ja', i18next.t)).toBeNull();
  expect(eventText(lost, 'en', i18next.t)).toBeNull();
});
