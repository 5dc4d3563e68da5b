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
  variables: '变量',
  variablesText: '输入 {{ 可插入用户、平台、日期或知识。内置智能体会填入具体内容。',
  preview: '预览',
  previewText: '以示例显示现在收到消息时填入的内容。',
  tokens_one: '约 {{number}} 个 token（估算）',
  tokens_other: '约 {{number}} 个 token（估算）',
  variableTexts: {
    user: '发送者的名称',
    group: '群组名称；私聊时为空',
    platform: '平台名称',
    date: '消息的日期',
    time: '消息的时间',
    knowledge: '从知识库中找到的段落',
  },
  variableExamples: { user: '小明', group: '读书会', knowledge: '[根据问题找到的段落]' },
};
