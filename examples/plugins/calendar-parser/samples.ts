import { defineSamples } from '@parley/sdk/plugin';
import type manifest from './manifest.ts';

export default defineSamples<typeof manifest>({ files: ['samples/festival.ics'] });
