import type * as english from '../en/shell.ts';
import type { Texts } from '../texts.ts';

export const menu: Texts<typeof english.menu> = {
  label: '账户与设置',
  settings: '设置',
  theme: '主题',
  light: '浅色',
  dark: '深色',
  system: '跟随系统',
  language: '语言',
  signOut: '退出登录',
};

export const connection: Texts<typeof english.connection> = {
  connecting: '正在连接…',
  lost: '连接已断开，正在重新连接…',
  offline: '您已离线。恢复网络后消息将自动发送。',
};

export const startCard: Texts<typeof english.startCard> = {
  label: '设置向导',
  title: '完成设置',
  text: '接入平台、选择模型，并和机器人打个招呼。',
  open: '继续',
  progress: '已完成 {{done}} / {{count}} 步',
  dismiss: '不再显示',
  done: '已完成',
  steps: {
    platform: '接入平台',
    model: '使用自己的模型',
    knowledge: '添加文档',
    message: '发送第一条消息',
    colleague: '邀请同事',
    prices: '设置价格',
  },
};

export const alertBell: Texts<typeof english.alertBell> = {
  label_one: '{{count}} 个未恢复的告警',
  label_other: '{{count}} 个未恢复的告警',
  title: '未恢复的告警',
  none: '没有未恢复的告警',
  all: '全部告警',
  summaries: {
    bot_offline: '未连接的机器人：{{count}} 个',
    error_rate: '失败的消息：{{percent}}%（{{total}} 条中的 {{count}} 条）',
    waiting_messages: '等待回复的消息：{{count}} 条',
    uncertain_messages: '可能未送达的消息：{{count}} 条',
    cost: '模型调用费用：{{cost}}',
    failed_documents: '处理失败的文档：{{count}} 个',
  },
};
