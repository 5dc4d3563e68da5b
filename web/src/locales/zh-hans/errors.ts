import type * as english from '../en/errors.ts';
import type { Texts } from '../texts.ts';

export const errors: Texts<typeof english.errors> = {
  unknown: '出了点问题，请重试。',
  unreachable: '无法连接服务器。请检查网络后重试。',
  internal: '服务器发生故障，请重试。',
  invalid_credentials: '用户名或密码不正确。',
  already_initialized: '第一个账户已经存在，请登录。',
  setup_token_required: '初始化令牌不正确。请在服务器日志中查找。',
  too_many_requests: '尝试次数过多，请稍候。',
  not_ready: '服务器正在启动或停止，请稍后再试。',
  too_large: '消息过大。',
  bot_disabled: '机器人已停用。',
  no_pipeline: '机器人没有可用的流水线。',
};
