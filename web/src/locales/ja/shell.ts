import type * as english from '../en/shell.ts';
import type { Texts } from '../texts.ts';

export const menu: Texts<typeof english.menu> = {
  label: 'アカウントと設定',
  settings: '設定',
  theme: 'テーマ',
  light: 'ライト',
  dark: 'ダーク',
  system: 'システム',
  language: '言語',
  signOut: 'サインアウト',
};

export const connection: Texts<typeof english.connection> = {
  connecting: '接続しています…',
  lost: '接続が切れました。再接続しています…',
  offline: 'オフラインです。接続が戻るとメッセージが送信されます。',
};

export const startCard: Texts<typeof english.startCard> = {
  label: 'セットアップガイド',
  title: 'セットアップを完了する',
  text: 'プラットフォームを接続し、モデルを選び、ボットにあいさつしましょう。',
  open: '続ける',
};
