import type * as english from '../en/errors.ts';
import type { Texts } from '../texts.ts';

export const errors: Texts<typeof english.errors> = {
  unknown: '問題が発生しました。もう一度お試しください。',
  unreachable: 'サーバーに接続できません。接続を確認してもう一度お試しください。',
  internal: 'サーバーで障害が発生しました。もう一度お試しください。',
  invalid_credentials: 'ユーザー名またはパスワードが正しくありません。',
  already_initialized: '最初のアカウントはすでにあります。サインインしてください。',
  setup_token_required: 'セットアップトークンが正しくありません。サーバーのログを確認してください。',
  too_many_requests: '試行回数が多すぎます。しばらくお待ちください。',
  not_ready: 'サーバーは起動または停止の途中です。しばらくしてからもう一度お試しください。',
  too_large: 'メッセージが大きすぎます。',
  bot_disabled: 'ボットは停止されています。',
  no_pipeline: 'ボットには答えるためのパイプラインがありません。',
};
