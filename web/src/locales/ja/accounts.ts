import type * as english from '../en/accounts.ts';
import type { Texts } from '../texts.ts';

export const accounts: Texts<typeof english.accounts> = {
  title: 'アカウント',
  introduction:
    'アカウントを持つ人は、ここのすべてを管理できます。追加するには、サーバーで ./parley user create を実行してください。',
  you: '自分',
  lastSignIn: '最終サインイン',
  notLately: '過去30日間なし',
  apiKeys: 'APIキー',
  delete: 'アカウントを削除',
  deleteTitle: 'このアカウントを削除しますか？',
  deleteText: 'セッションはすぐに終了します。元に戻せません。',
  deleteOwnText: '自分のアカウントです。すぐにサインアウトされ、元に戻せません。',
  keys_one: 'APIキー',
  keys_other: 'APIキー（{{count}}個）',
  keysRevoke: '無効にする',
  keysKeep: 'サーバー全体のキーとして残す',
  keysHand: '{{name}} に引き継ぐ',
};
