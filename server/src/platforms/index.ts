import type { Platform } from '@parley/sdk';
import { aiocqhttp } from './aiocqhttp/index.ts';
import { dingtalk } from './dingtalk/index.ts';
import { discord } from './discord/index.ts';
import { lark } from './lark/index.ts';
import { slack } from './slack/index.ts';
import { telegram } from './telegram/index.ts';
import { websocket } from './websocket/index.ts';
import { wecombot } from './wecombot/index.ts';

/** The platforms that come with the service. */
export const platforms: readonly Platform[] = [
  aiocqhttp,
  dingtalk,
  discord,
  lark,
  slack,
  telegram,
  websocket,
  wecombot,
];
