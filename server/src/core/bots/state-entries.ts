import type { BotState, BotStatus } from './bot.ts';
import type { BotEventEntry } from './bot-event.ts';

/** The entry of the event log for a new state. */
export const stateEntries: Record<BotState, (status: BotStatus) => BotEventEntry> = {
  starting: () => ({ level: 'debug', code: 'connecting', text: 'Connecting' }),
  running: () => ({ level: 'info', code: 'connected', text: 'Connected' }),
  reconnecting: ({ reason, error }) => ({
    level: 'warning',
    code: 'connection_lost',
    reason,
    text: `Connection lost: ${error}`,
  }),
  error: ({ reason, error }) => ({ level: 'error', code: 'not_connected', reason, text: `Not connected: ${error}` }),
  stopped: () => ({ level: 'info', code: 'disconnected', text: 'Disconnected' }),
};
