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
};
