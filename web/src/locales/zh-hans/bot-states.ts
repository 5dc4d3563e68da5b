import type { botStates as english } from '../en/bot-states.ts';
import type { Texts } from '../texts.ts';

/** How the connection of a bot is. */
export const botStates: Texts<typeof english> = {
  stopped: '已停用',
  starting: '正在连接',
  running: '已连接',
  reconnecting: '正在重连',
  error: '未连接',
};
