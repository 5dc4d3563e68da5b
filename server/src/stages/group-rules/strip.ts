import type { MessageChain, MessageElement } from '@parley/sdk';

/** Mentions of the bot that are taken out of the middle of a message. */
const mostMentions = 2;

/**
 * Removes mentions of the bot: all at the start of the message, and others up to a total of two.
 * @param accountId the bot's own id on the platform; null while it is unknown
 * @returns the chain and the number of removed mentions
 */
export function withoutMentions(
  chain: MessageChain,
  accountId: string | null,
): { chain: MessageChain; mentions: number } {
  let mentions = 0;
  let atStart = true;
  const remaining = chain.filter((element) => {
    if (isMention(element, accountId) && (atStart || mentions < mostMentions)) {
      mentions += 1;
      return false;
    }
    atStart &&= isSilent(element) || (element.type === 'Plain' && element.text.trim() === '');
    return true;
  });
  return { chain: remaining, mentions };
}

function isMention(element: MessageElement, accountId: string | null): boolean {
  return element.type === 'At' && accountId !== null && String(element.target) === accountId;
}

/** Elements that stand at the start of a message and are no part of its text. */
function isSilent({ type }: MessageElement): boolean {
  return type === 'Source' || type === 'Quote';
}

/** The longest matching prefix, or null. White space at the start of either is ignored. */
export function matchingPrefix(prefixes: readonly string[], text: string): string | null {
  const matching = prefixes
    .map((prefix) => prefix.trimStart())
    .filter((prefix) => prefix !== '' && text.startsWith(prefix));
  return matching.length === 0 ? null : matching.reduce((best, next) => (next.length > best.length ? next : best));
}

/** The chain without white space at its start. */
export function trimChain(chain: MessageChain): MessageChain {
  return cutStart(chain, 0);
}

/**
 * The chain without a prefix and the white space around it. Only text is cut: if an image or the like is part of the
 * prefix, nothing is.
 */
export function cutPrefix(chain: MessageChain, prefix: string): MessageChain {
  let start = '';
  for (const element of chain) {
    if (element.type === 'Plain') start = (start + element.text).trimStart();
    else if (!isSilent(element)) break;
    if (start.length >= prefix.length) break;
  }
  return cutStart(chain, start.startsWith(prefix) ? prefix.length : 0);
}

/** @param length characters to cut after white space; the texts at the start of the chain have at least as many */
function cutStart(chain: MessageChain, length: number): MessageChain {
  const cut: MessageChain = [];
  let left = length;
  for (const [index, element] of chain.entries()) {
    if (isSilent(element)) {
      cut.push(element);
      continue;
    }
    if (element.type !== 'Plain') return [...cut, ...chain.slice(index)];
    // White space goes before the prefix and behind it; within it, it is a part of it.
    let text = left === length ? element.text.trimStart() : element.text;
    const taken = Math.min(left, text.length);
    left -= taken;
    text = text.slice(taken);
    if (left === 0) text = text.trimStart();
    if (text !== '') return [...cut, { ...element, text }, ...chain.slice(index + 1)];
  }
  return cut;
}
