import type * as english from '../en/palette.ts';
import type { Texts } from '../texts.ts';

export const palette: Texts<typeof english.palette> = {
  title: '搜索与命令',
  open: '搜索',
  placeholder: '前往页面、查找资源、执行命令…',
  empty: '没有结果。',
  pages: '页面',
  actions: '操作',
  providers: '模型提供商',
  servers: 'MCP 服务器',
  newBot: '新建机器人',
  newPipeline: '新建流水线',
  newBase: '新建知识库',
  theme: '主题：{{name}}',
  language: '语言：{{name}}',
};
