import type { Platform } from '@parley/sdk';
import { websocket } from './websocket/index.ts';

/** The platforms that come with the service. */
export const platforms: readonly Platform[] = [websocket];
