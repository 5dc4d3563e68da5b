import type * as english from '../en/chat.ts';
import type { Texts } from '../texts.ts';

export const chat: Texts<typeof english.chat> = {
  title: '对话',
  emptyTitle: '想聊点什么？',
  emptyText: '写一条消息，机器人会回答您。',
  suggestions: {
    introduce: '用两句话介绍一下你自己',
    table: '给我看一个表格和一段代码示例',
    plan: '帮我规划这一周',
  },
  placeholder: '写一条消息',
  send: '发送',
  hint: 'Enter 发送，Shift + Enter 换行',
  answering: '正在回答',
  you: '您',
  bot: '机器人',
  log: '对话内容',
  toLatest: '跳到最新消息',
  copyAnswer: '复制回答',
  copyCode: '复制代码',
  copied: '已复制',
  sending: '正在发送…',
  waiting: '连接恢复后将自动发送',
  notSent: '未发送',
  sendAgain: '重新发送',
  dismiss: '关闭',
  noPipeline: '还没有默认流水线，因此没有人可以回答。',
  loadFailed: '无法加载对话。',
  retry: '重试',
  picture: '图片',
};

export const clear: Texts<typeof english.clear> = {
  open: '新对话',
  title: '开始新的对话？',
  text: '这里的消息会被移除，机器人也会忘记之前的内容。',
  confirm: '重新开始',
  cancel: '保留',
};
