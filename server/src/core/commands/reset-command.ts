import type { Command } from '@parley/sdk';

export const resetCommand: Command = {
  name: 'reset',
  aliases: ['new'],
  usage: '',
  description: 'Ends this conversation and starts a new one.',
  privilege: 1,
  interrupts: 'reset',
  run: async ({ conversation }) => {
    await conversation.reset();
    return 'The conversation was reset.';
  },
};
