import type * as english from '../en/errors.ts';
import type { Texts } from '../texts.ts';

export const errors: Texts<typeof english.errors> = {
  unknown: '出现问题，请重试。',
  unreachable: '无法连接服务器。请检查网络后重试。',
  in_use: '正在使用，无法删除：',
};
