import type * as english from '../en/guides.ts';
import type { Texts } from '../texts.ts';

export const guides: Texts<typeof english.guides> = {
  introduction: '介绍如何配置和运维本服务。指南随服务一起提供，无需联网；部分内容只有英文版。',
  groups: {
    start: '入门',
    use: '机器人与回答',
    platforms: '平台',
    operate: '运维',
    develop: 'API 与扩展',
  },
  toList: '全部指南',
  onPage: '本页内容',
};
