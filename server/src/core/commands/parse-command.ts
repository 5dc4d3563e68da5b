import { type MessageChain, textOfChain } from '@parley/sdk';

/** A text that was written as a command; there need not be one of this name. */
export interface ParsedCommand {
  /** In lower case. */
  name: string;
  parameters: string[];
  /** The prefix that was used. */
  prefix: string;
}

/** How much of a text is read; no command needs more. UTF-16 units. */
const maximumLength = 2000;

/**
 * Parses a command: a text that starts with a prefix and a letter, after white space and mentions of the bot.
 * @param botAccountId the bot's own id on its platform; null while it is unknown
 * @returns null when the message is none
 */
export function parseCommand(
  chain: MessageChain,
  botAccountId: string | null,
  prefixes: readonly string[],
): ParsedCommand | null {
  const text = textBehindMentions(chain, botAccountId);
  const prefix = [...prefixes].sort((left, right) => right.length - left.length).find((each) => text.startsWith(each));
  if (prefix === undefined) return null;
  const rest = text.slice(prefix.length, prefix.length + maximumLength);
  if (!/^\p{L}/u.test(rest)) return null;
  const [name = '', ...parameters] = rest.trimEnd().split(/\s+/);
  return { name: name.toLowerCase(), parameters, prefix };
}

/** Empty when the message starts with something else. */
function textBehindMentions(chain: MessageChain, botAccountId: string | null): string {
  for (const [index, element] of chain.entries()) {
    switch (element.type) {
      case 'Source':
      case 'Quote':
        continue;
      case 'At':
        if (String(element.target) === botAccountId) continue;
        return '';
      case 'Plain': {
        const text = element.text.trimStart();
        if (text === '') continue;
        return text + textOfChain(chain.slice(index + 1));
      }
      default:
        return '';
    }
  }
  return '';
}
