import type * as english from '../en/chat.ts';
import type { Texts } from '../texts.ts';

export const chat: Texts<typeof english.chat> = {
  failed: '未能回答',
  title: '对话',
  emptyTitle: '有什么可以帮您？',
  emptyText: '发送消息开始对话。',
  suggestions: {
    introduce: '用两句话介绍一下你自己',
    table: '给我看一个表格和一段代码示例',
    plan: '帮我规划这一周',
  },
  placeholder: '输入消息',
  send: '发送',
  hint: 'Enter 发送，Shift + Enter 换行',
  answering: '正在生成回复',
  you: '您',
  bot: '机器人',
  log: '对话内容',
  toLatest: '跳到最新消息',
  copyAnswer: '复制回复',
  copyCode: '复制代码',
  copied: '已复制',
  sending: '正在发送…',
  waiting: '排队中，连接恢复后自动发送',
  notSent: '未发送',
  sendAgain: '重试',
  remove: '移除',
  removeNamed: '移除：{{text}}',
  notKept: '此浏览器无法保存排队中的消息。发送完成前请不要离开此页面。',
  dismiss: '关闭',
  noPipeline: '没有默认流水线。请先设置默认流水线再使用对话。',
  loadFailed: '无法加载对话。',
  retry: '重试',
  picture: '图片',
};

export const clear: Texts<typeof english.clear> = {
  open: '新对话',
  title: '开始新的对话？',
  text: '此处的消息会被删除，机器人将不带历史记录重新开始。',
  confirm: '开始新对话',
  cancel: '取消',
};
