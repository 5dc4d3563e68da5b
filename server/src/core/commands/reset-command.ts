import type { Command } from './command.ts';

export const resetCommand: Command = {
  name: 'reset',
  aliases: ['new'],
  usage: '',
  description: 'Forgets this conversation and begins a new one.',
  privilege: 1,
  interrupts: 'reset',
  run: async ({ conversation }) => {
    await conversation.reset();
    return 'The conversation was reset.';
  },
};
