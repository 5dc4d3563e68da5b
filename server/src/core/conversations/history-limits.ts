import type { ConversationTurn } from '@parley/sdk';
import { estimateTokenCount } from 'tokenx';

/** How many questions there are. */
export function countRounds(turns: readonly ConversationTurn[]): number {
  return turns.filter(({ role }) => role === 'user').length;
}

/** The last rounds of a conversation, as {@link truncateHistory} has it. @param rounds none when it is 0 or less */
export function latestRounds(turns: readonly ConversationTurn[], rounds: number): ConversationTurn[] {
  const surplus = countRounds(turns) - rounds;
  if (surplus <= 0) return [...turns];
  let count = 0;
  const start = turns.findIndex(({ role }) => {
    if (role === 'user') count += 1;
    return count > surplus;
  });
  return start < 0 ? [] : turns.slice(start);
}

/** The prefix of each turn that names its sender, tokens. */
const tokensOfPrefix = 4;

/** How many tokens a turn has, estimated. */
export function tokensOfTurn({ text }: ConversationTurn): number {
  return tokensOfPrefix + estimateTokenCount(text);
}

/**
 * Drops the oldest rounds of a conversation until the rest is short enough. A round is a question with everything until
 * the next one; rounds are never split, so no answer appears without its question.
 * @param turns oldest first
 * @param limits `tokens`: how many the rest may have, estimated; 0 for any number
 * @param tokensOf estimates those of a turn
 */
export function truncateHistory(
  turns: readonly ConversationTurn[],
  limits: { tokens: number },
  tokensOf: (turn: ConversationTurn) => number = tokensOfTurn,
): ConversationTurn[] {
  if (limits.tokens === 0) return [...turns];
  let tokens = 0;
  let start = turns.length;
  for (let index = turns.length - 1; index >= 0; index -= 1) {
    // An index below the length.
    const turn = turns[index] as ConversationTurn;
    tokens += tokensOf(turn);
    if (tokens > limits.tokens) break;
    // Messages before the first question are a round.
    if (turn.role === 'user' || index === 0) start = index;
  }
  return turns.slice(start);
}
