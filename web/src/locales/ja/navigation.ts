import type * as english from '../en/navigation.ts';
import type { Texts } from '../texts.ts';

export const navigation: Texts<typeof english.navigation> = {
  dashboard: 'ダッシュボード',
  messages: 'メッセージ',
  chat: 'チャット',
  bots: 'ボット',
  pipelines: 'パイプライン',
  knowledge: 'ナレッジ',
  models: 'モデル',
  tools: 'ツール',
  apiKeys: 'APIキー',
  webhooks: 'Webhook',
  alerts: 'アラート',
  audit: '監査ログ',
  account: 'マイアカウント',
  accounts: 'アカウント',
  system: 'システム',
  reference: 'APIリファレンス',
  label: 'メイン',
  open: 'メニューを開く',
  close: 'メニューを閉じる',
  skip: '本文へ移動',
  overview: '概要',
  build: '構築',
  connect: '連携',
  operate: '運用',
};
