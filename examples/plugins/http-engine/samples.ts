import { defineSamples } from '@parley/sdk/plugin';
import type manifest from './manifest.ts';

// Its address is given to the test: --set server=http://127.0.0.1:8000 --set key=…
export default defineSamples<typeof manifest>({
  documents: ['Bread is baked in an oven.', 'A lighthouse stands on a rock.\n\nIts lamp turns at night.'],
  queries: [{ query: 'lighthouse', passage: 'stands on a rock' }],
});
