import type { Command, CommandDescription } from '@parley/sdk';

export const helpCommand: Command = {
  name: 'help',
  aliases: [],
  usage: '[command]',
  description: 'Lists the commands, or explains one.',
  privilege: 1,
  run: ({ parameters: [wanted], commands, prefix }) => {
    const line = ({ name, usage = '', description }: CommandDescription) =>
      `${[prefix + name, usage].join(' ').trimEnd()} - ${description}`;
    if (wanted === undefined) return commands.map(line).join('\n');
    const name = (wanted.startsWith(prefix) ? wanted.slice(prefix.length) : wanted).toLowerCase();
    const command = commands.find((each) => each.name === name || each.aliases?.includes(name));
    if (command === undefined) return `Unknown command. ${prefix}help lists the commands.`;
    const others = (command.aliases ?? []).map((alias) => prefix + alias).join(', ');
    return others === '' ? line(command) : `${line(command)}\nAlso: ${others}`;
  },
};
