import { type Command, type ConversationModel, ParleyError } from '@parley/sdk';

export const modelCommand: Command = {
  name: 'model',
  aliases: [],
  usage: '[name | number | default]',
  description: 'Shows which model answers, or has another one answer in this conversation.',
  privilege: 1,
  run: async ({ parameters, conversation, decidesForAll, prefix }) => {
    const models = await conversation.models();
    const wanted = parameters.join(' ');
    if (wanted !== '' && !decidesForAll) {
      throw new ParleyError('command_denied', 'Only an administrator may change the model of a group.');
    }
    if (models.length === 0) return 'No model of this system answers here.';
    if (wanted === '') return listed(models);
    const named = models.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());
    if (named.length > 1) return `Several models have this name; say the number.\n${listed(models)}`;
    const chosen = named[0] ?? (/^\d{1,3}$/.test(wanted) ? models[Number(wanted) - 1] : undefined);
    if (chosen !== undefined) {
      await conversation.chooseModel(chosen.uuid);
      return `${chosen.name} answers in this conversation now.`;
    }
    if (wanted.toLowerCase() !== 'default') return `Unknown model. ${prefix}model lists the models.`;
    await conversation.chooseModel(null);
    return `${models[0]?.name} answers in this conversation now.`;
  },
};

function listed(models: readonly ConversationModel[]): string {
  return models.map(({ name, current }, index) => `${index + 1}. ${name}${current ? ' (answers)' : ''}`).join('\n');
}
