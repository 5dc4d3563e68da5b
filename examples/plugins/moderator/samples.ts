import { defineSamples } from '@parley/sdk/plugin';
import type manifest from './manifest.ts';

export default defineSamples<typeof manifest>({ messages: ['What a grumpy bear'] });
