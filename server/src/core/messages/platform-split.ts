import type { Logger, MessageChain } from '@parley/sdk';
import type { RunningBot } from '../bots/running-bot.ts';
import { isContinued } from './chain-growth.ts';

/**
 * Splits the messages of an answer so that they fit their platform as rendered. A message whose split fails is sent as it
 * is.
 * @param shown what the first message begins with, because it is in the chat already; null when nothing is
 */
export function splitForPlatform(
  bot: RunningBot,
  messages: readonly MessageChain[],
  { shown, logger }: { shown: MessageChain | null; logger: Logger },
): MessageChain[] {
  const [first, ...following] = messages.map((chain) => partsOf(bot, chain, logger));
  if (first === undefined) return [];
  // What is shown is not taken back; the stream shows it by itself.
  const isTakenBack = shown !== null && first.length > 1 && !isContinued(shown, first[0] ?? []);
  return [...(isTakenBack ? messages.slice(0, 1) : first), ...following.flat()];
}

function partsOf({ uuid, implementation, config }: RunningBot, chain: MessageChain, logger: Logger): MessageChain[] {
  try {
    const parts: unknown = implementation.split?.(chain, config);
    if (parts === undefined) return [chain];
    if (Array.isArray(parts) && parts.every((part) => Array.isArray(part))) {
      const split = (parts as MessageChain[]).filter(({ length }) => length > 0);
      if (split.length > 0) return split;
    }
    logger.error({ bot: uuid }, 'a platform split a message into nothing');
  } catch (error) {
    logger.error({ bot: uuid, error }, 'a platform failed to split a message');
  }
  return [chain];
}
