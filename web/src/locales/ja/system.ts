import type * as english from '../en/system.ts';
import type { Texts } from '../texts.ts';

export const systemPage: Texts<typeof english.systemPage> = {
  overview: '概要',
  tasks: 'タスク',
  logs: 'ログ',
  words: '禁止語',
  health: 'プロセス',
  alive: '稼働中',
  readiness: 'リクエスト',
  ready: '処理中',
  notServing: '応答なし',
  address: 'アドレス',
  activity: '稼働状況',
  activityText: 'メッセージの記録から集計しています。',
  activeSessions: '直近30分の相手とグループ',
  conversations: '継続中の会話',
  messages: '起動後に受信したメッセージ',
  settings: '有効な設定',
  settingsText: '環境変数またはparley.yamlで設定します。変更は再起動後に有効になります。',
  version: 'APIバージョン',
  maxBots: 'ボットの上限',
  maxPipelines: 'パイプラインの上限',
  maxExtensions: '拡張の上限',
  unlimited: '無制限',
  passwords: 'コンソールでのパスワード変更',
};

export const tasks: Texts<typeof english.tasks> = {
  task: 'タスク',
  number: 'タスク {{id}}',
  empty: 'タスクはありません',
  emptyText:
    '時間のかかる処理（ドキュメントの読み取りやボットの接続など）がここに表示されます。終了したタスクは7日間保存されます。',
  began: '開始',
  ended: '終了',
  running: '実行中',
  runningOf: '実行中：{{done}} / {{total}}',
  finished: '完了',
  failed: '失敗',
  cancelled: 'キャンセル済み',
  log: 'ログ',
  result: '結果',
};

export const logs: Texts<typeof english.logs> = {
  level: 'レベル',
  levels: {
    DEBUG: 'すべて',
    INFO: '情報以上',
    WARNING: '警告以上',
    ERROR: 'エラー以上',
    CRITICAL: '重大のみ',
  },
  words: {
    DEBUG: 'デバッグ',
    INFO: '情報',
    WARNING: '警告',
    ERROR: 'エラー',
    CRITICAL: '重大',
  },
  follow: '自動更新',
  empty: '行がありません',
  emptyText: '条件に合うログはありません。',
  note: '新しい行が先頭です。時刻はUTCです。ここには直近200行が保持され、それ以外はサーバーの出力先にあります。',
};

export const words: Texts<typeof english.words> = {
  text: 'チェックを有効にしたパイプラインは、これらの語を含むメッセージに答えず、回答では伏せ字にします。',
  list: '語',
  listHelp: '1行に1語です。\\ . + * ? ( ) [ ] { } ^ $ | を含む行は正規表現です。大文字と小文字を区別します。',
  count_one: '{{count}}語。',
  count_other: '{{count}}語。',
  mask: '伏せ字',
  maskHelp: '語の各文字の代わりになります。',
  maskWord: '語全体の代わり',
  maskWordHelp: '入力すると語全体の代わりになります。',
};
