import type { Command } from '@parley/sdk';

export const cancelCommand: Command = {
  name: 'cancel',
  aliases: ['stop'],
  usage: '',
  description: 'Ends the answer that is being written.',
  privilege: 1,
  interrupts: 'cancelled',
  // The cancellation took effect when the command was stored; this reports it.
  run: async ({ conversation, decidesForAll }) => {
    const count = await conversation.cancelled();
    if (count > 1) return `Cancelled. ${count} messages will not be answered.`;
    if (count === 1) return 'Cancelled.';
    return decidesForAll ? 'Nothing was in progress.' : 'None of your messages was in progress.';
  },
};
