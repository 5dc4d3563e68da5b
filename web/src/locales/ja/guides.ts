import type * as english from '../en/guides.ts';
import type { Texts } from '../texts.ts';

export const guides: Texts<typeof english.guides> = {
  introduction:
    'このサーバーの設定と運用の手引きです。サーバーに同梱されているため、インターネット接続は不要です。本文は英語です。',
  groups: {
    start: 'はじめに',
    use: 'ボットと回答',
    platforms: 'プラットフォーム',
    operate: '運用',
    develop: 'APIと拡張',
  },
  toList: 'すべてのガイド',
  onPage: 'このページの内容',
};
