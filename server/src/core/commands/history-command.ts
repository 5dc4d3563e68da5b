import type { Command } from '@parley/sdk';

const defaultRounds = 3;
const maximumRounds = 10;
/** How much is shown of each text, characters. */
const maximumCharacters = 200;
const speakers = { user: 'Question', assistant: 'Answer' };

export const historyCommand: Command = {
  name: 'history',
  aliases: [],
  usage: '[rounds]',
  description: `Shows the last messages: ${defaultRounds} rounds, or up to ${maximumRounds}.`,
  privilege: 1,
  run: async ({ parameters: [wanted = String(defaultRounds)], conversation }) => {
    const rounds = /^\d{1,3}$/.test(wanted) ? Number(wanted) : 0;
    if (rounds < 1 || rounds > maximumRounds) return `Say how many rounds: a number from 1 to ${maximumRounds}.`;
    const turns = await conversation.history(rounds);
    if (turns.length === 0) return 'This conversation has no messages yet.';
    return turns.map(({ role, text }) => `${speakers[role]}: ${shortened(text)}`).join('\n');
  },
};

function shortened(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  // A character is one or two units, and none is cut in two.
  const characters = [...flat.slice(0, maximumCharacters * 2)];
  const isShort = characters.length <= maximumCharacters && flat.length <= maximumCharacters * 2;
  return isShort ? flat : `${characters.slice(0, maximumCharacters).join('')}…`;
}
