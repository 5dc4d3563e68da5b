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
  progress: '{{count}}件中{{done}}件が完了',
  dismiss: '今後表示しない',
  done: '完了',
  steps: {
    platform: 'プラットフォームを接続',
    model: '自分のモデルを使用',
    knowledge: 'ドキュメントを追加',
    message: '最初のメッセージを送信',
    colleague: 'メンバーを招待',
    prices: '料金を設定',
  },
};

export const alertBell: Texts<typeof english.alertBell> = {
  label_one: '未解決のアラート {{count}} 件',
  label_other: '未解決のアラート {{count}} 件',
  title: '未解決のアラート',
  none: '未解決のアラートはありません',
  all: 'すべてのアラート',
  summaries: {
    bot_offline: '未接続のボット：{{count}} 件',
    error_rate: '失敗したメッセージ：{{percent}}%（{{total}} 件中 {{count}} 件）',
    waiting_messages: '回答待ちのメッセージ：{{count}} 件',
    uncertain_messages: '届いていない可能性のあるメッセージ：{{count}} 件',
    cost: 'モデル呼び出しの費用：{{cost}}',
    failed_documents: '処理に失敗したドキュメント：{{count}} 件',
  },
};
