import type * as english from '../en/citations.ts';
import type { Texts } from '../texts.ts';

export const citations: Texts<typeof english.citations> = {
  title: '来源',
  open: '打开来源 {{number}}',
  close: '关闭来源',
  previous: '上一个来源',
  next: '下一个来源',
  position: '{{index}} / {{count}}',
  noSource: '来源位置未知',
  openDocument: '打开文档',
  openReplacement: '打开现有文档',
  text: '文档中的段落',
  page: '第 {{page}} 页',
  pageOf: '{{document}} 第 {{page}} 页',
  loadingPage: '正在加载页面…',
  larger: '放大',
  smaller: '适应宽度',
  notLocated: '未能在此页上定位这些文字。',
  why: '检索依据',
  asked: '查询：',
  askedByModel: '模型的查询：',
  notRecorded: '该段落未被记录。',
  states: {
    reindexed: '该文档已重新索引，文字有变化。此处显示的是生成回复时的段落。',
    replaced: '该文档已被替换。此处显示的是生成回复时的段落。',
    deleted: '该文档已被删除。此处显示的是生成回复时的段落。',
    baseDeleted: '该知识库已被删除。此处显示的是生成回复时的段落。',
  },
};
