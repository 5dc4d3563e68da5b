import type * as english from '../en/chat.ts';
import type { Texts } from '../texts.ts';

export const chat: Texts<typeof english.chat> = {
  failed: '回答できませんでした',
  title: 'チャット',
  emptyTitle: '何かお手伝いできますか？',
  emptyText: 'メッセージを送信して開始します。',
  suggestions: {
    introduce: '2文で自己紹介してください',
    table: '表とコードの例を見せてください',
    plan: '今週の計画を手伝ってください',
  },
  placeholder: 'メッセージを入力',
  send: '送信',
  hint: 'Enterで送信、Shift + Enterで改行',
  answering: '回答を作成しています',
  you: 'あなた',
  bot: 'ボット',
  log: '会話',
  toLatest: '最新のメッセージへ移動',
  copyAnswer: '回答をコピー',
  copyCode: 'コードをコピー',
  copied: 'コピーしました',
  sending: '送信しています…',
  waiting: 'キュー待ち。接続が回復すると送信されます',
  notSent: '送信できませんでした',
  sendAgain: '再試行',
  remove: '削除',
  removeNamed: '削除: {{text}}',
  notKept:
    'このブラウザーにはキュー待ちのメッセージを保存できません。送信されるまでこのページを開いたままにしてください。',
  dismiss: '閉じる',
  noPipeline: 'デフォルトのパイプラインがありません。チャットを使うには設定してください。',
  loadFailed: '会話を読み込めませんでした。',
  retry: '再試行',
  picture: '画像',
};

export const clear: Texts<typeof english.clear> = {
  open: '新しい会話',
  title: '新しい会話を始めますか？',
  text: 'ここに表示されているメッセージは削除され、ボットは履歴なしで開始します。',
  confirm: '新しく始める',
  cancel: 'キャンセル',
};
