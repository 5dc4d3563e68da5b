import type { Command } from '@parley/sdk';

export const statusCommand: Command = {
  name: 'status',
  aliases: [],
  usage: '',
  description: 'Shows the state of this conversation.',
  privilege: 1,
  run: async ({ conversation, pipeline }) => {
    const [{ under_way, waiting, rounds, since }, models] = await Promise.all([
      conversation.status(),
      conversation.models(),
    ]);
    const model = models.find(({ current }) => current);
    return [
      `Pipeline: ${pipeline.name}`,
      ...(model === undefined ? [] : [`Model: ${model.name}`]),
      `In progress in this chat: ${counted(under_way, 'answer')}`,
      `Waiting: ${counted(waiting, 'message')}`,
      `History: ${counted(rounds, 'round')} since ${since.slice(0, 16).replace('T', ' ')} UTC`,
    ].join('\n');
  },
};

function counted(count: number, noun: string): string {
  return count === 0 ? 'none' : `${count} ${noun}${count === 1 ? '' : 's'}`;
}
