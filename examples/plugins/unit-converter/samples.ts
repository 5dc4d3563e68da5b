import { defineSamples } from '@parley/sdk/plugin';
import type manifest from './manifest.ts';

export default defineSamples<typeof manifest>({
  settings: { digits: 4 },
  tools: { convert_units: [{ parameters: { value: 5, from: 'km', to: 'mi' }, answer: '3.107 mi' }] },
  commands: {
    convert: [
      { parameters: ['-40', 'C', 'F'], answer: '-40 c = -40 f' },
      { parameters: ['1', 'km', 'kg'], answer: 'km is a length and kg a mass' },
    ],
  },
});
