import type * as english from '../en/forms.ts';
import type { Texts } from '../texts.ts';

export const forms: Texts<typeof english.forms> = {
  requires: { public_url: '未设置公开地址，无法生成链接。请设置 `PARLEY_PUBLIC_URL`。' },
  roles: { system: '系统', user: '用户', assistant: '助手' },
  addMessage: '添加消息',
  fallback: '备用模型 {{number}}',
  addFallback: '添加备用模型',
  noKnowledgeBases: '还没有知识库。',
  advanced: '高级设置',
};
