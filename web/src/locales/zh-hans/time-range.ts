import type * as english from '../en/time-range.ts';
import type { Texts } from '../texts.ts';

export const timeRange: Texts<typeof english.timeRange> = {
  label: '时间',
  all: '全部时间',
  day: '最近 24 小时',
  week: '最近 7 天',
  month: '最近 30 天',
  own: '自定义范围…',
  from: '从',
  to: '到',
};
