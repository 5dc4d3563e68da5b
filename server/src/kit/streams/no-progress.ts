import type { SendProgress } from '@parley/sdk';

/** Of a send that is not recorded: nothing was shown, and nothing can be stored. */
export const noProgress: SendProgress = { handle: null, isInterrupted: false, store: async () => undefined };
