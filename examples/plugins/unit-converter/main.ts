import { definePlugin } from '@parley/sdk/plugin';
import type manifest from './manifest.ts';
import { convert } from './units.ts';

export default definePlugin<typeof manifest>({
  tools: {
    convert_units: async ({ value, from, to }, { host }) => {
      const { digits } = await host.settings();
      return convert(value, from, to, digits);
    },
  },
  commands: {
    convert: async ({ parameters: [number = '', from = '', to = ''], prefix }, { host }) => {
      if (number === '' || !Number.isFinite(Number(number))) return `Usage: ${prefix}convert <number> <from> <to>`;
      const { digits } = await host.settings();
      try {
        return convert(Number(number), from.toLowerCase(), to.toLowerCase(), digits);
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
  },
});
