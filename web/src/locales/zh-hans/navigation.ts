import type * as english from '../en/navigation.ts';
import type { Texts } from '../texts.ts';

export const navigation: Texts<typeof english.navigation> = {
  dashboard: '仪表盘',
  messages: '消息',
  chat: '对话',
  bots: '机器人',
  pipelines: '流水线',
  knowledge: '知识库',
  models: '模型',
  tools: '工具',
  apiKeys: 'API 密钥',
  webhooks: 'Webhook',
  alerts: '告警',
  audit: '审计日志',
  account: '我的账户',
  accounts: '账户',
  system: '系统',
  reference: 'API 参考',
  label: '主导航',
  open: '打开菜单',
  close: '关闭菜单',
  skip: '跳到内容',
  overview: '概览',
  build: '构建',
  connect: '接入',
  operate: '运维',
};
