import type * as english from '../en/time-range.ts';
import type { Texts } from '../texts.ts';

export const timeRange: Texts<typeof english.timeRange> = {
  label: '期間',
  all: '全期間',
  day: '過去24時間',
  week: '過去7日間',
  month: '過去30日間',
  own: '期間を指定…',
  from: '開始',
  to: '終了',
};
