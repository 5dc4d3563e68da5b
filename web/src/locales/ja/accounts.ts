import type * as english from '../en/accounts.ts';
import type { Texts } from '../texts.ts';

export const accounts: Texts<typeof english.accounts> = {
  title: 'アカウント',
  introduction:
    '管理者はすべての操作ができます。メンバーは閲覧、チャット、送信、配信の再試行、ナレッジベースと自分のアカウントの管理ができます。',
  new: '新しいアカウント',
  create: 'アカウントを作成',
  created: 'アカウント {{name}} を作成しました',
  createdText:
    '新しいユーザーにパスワードとこのリカバリーキーを渡してください。リカバリーキーはパスワードを忘れたときに使います。表示されるのは今回だけです。',
  role: 'ロール',
  roleHelp: 'メンバーは、ボット、パイプライン、モデル、ツール、APIキー、アカウント、設定を変更できません。',
  roles: { admin: '管理者', member: 'メンバー' },
  makeAdmin: '管理者にする',
  makeMember: 'メンバーにする',
  madeAdmin: '{{name}} を管理者にしました',
  madeMember: '{{name}} をメンバーにしました',
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
  keysKeep: 'システムのキーとして残す',
  keysHand: '{{name}} に引き継ぐ',
};
