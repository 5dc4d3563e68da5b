import type { MessageElementType } from '@parley/sdk';

/** The elements that Discord can carry, in one direction or both. */
export const discordElements: readonly MessageElementType[] = [
  'Source',
  'Plain',
  'Quote',
  'At',
  'AtAll',
  'Image',
  'Voice',
  'File',
  'Forward',
  'Unknown',
];
