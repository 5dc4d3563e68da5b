import type * as english from '../en/plugin-pages.ts';
import type { Texts } from '../texts.ts';

export const pluginPages: Texts<typeof english.pluginPages> = {
  page: '插件页面',
  toPlugin: '返回 {{plugin}}',
  skip: '跳过插件页面',
  origin: '此页面由插件提供，无法访问控制台和您的会话。',
  reload: '重新加载页面',
  paused: '插件多次崩溃，已暂停几分钟。在此期间页面的请求会失败。',
  states: {
    disabled: '插件已停用。启用后才能打开其页面。',
    consent_required: '插件需要管理员同意后才能打开其页面。',
    damaged: '插件的文件已被更改。请重新安装后再打开其页面。',
    fetching: '正在从文件存储获取插件的文件。请稍后重新加载页面。',
  },
  ends: {
    left: '页面试图跳转到其他地址，连接已断开。',
    broken: '页面发送了过多或无效的消息，连接已断开。',
    signedOut: '您的会话已结束，页面连接已断开。',
  },
};
