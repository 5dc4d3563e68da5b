import type { BotHolders } from '../../src/core/replicas/bot-holders.ts';

/** Every bot is held by this replica. */
export const heldHere: Pick<BotHolders, 'other' | 'call'> = {
  other: () => null,
  call: () => Promise.reject(new Error('there is no other replica')),
};
