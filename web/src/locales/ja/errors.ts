import type * as english from '../en/errors.ts';
import type { Texts } from '../texts.ts';

export const errors: Texts<typeof english.errors> = {
  unknown: '問題が発生しました。もう一度お試しください。',
  unreachable: 'サーバーに接続できません。接続を確認してもう一度お試しください。',
  in_use: '使用中のため削除できません：',
};
