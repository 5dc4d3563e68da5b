import type { ConversationTurn } from '@parley/sdk';
import { LRUCache } from 'lru-cache';
import { freeze } from '../../lib/freeze.ts';
import { storableText } from '../../lib/storable-text.ts';
import { countRounds, tokensOfTurn } from '../conversations/history-limits.ts';
import type { ClaimedMessage, Message } from './message.ts';
import { belongsToHistory, type MessageHistory, turnOf } from './message-history.ts';
import type { MessageOutcome } from './message-ledger.ts';

/** Memory for the history of all conversations, bytes, estimated. Those that were used least recently go first. */
const maximumBytes = 32 * 1024 * 1024;
/** What a conversation and a turn take beside their texts, bytes. */
const overhead = 300;

/** The history before a place in a conversation. */
interface Known {
  rounds: number;
  turns: KnownTurn[];
  /** The history before this sequence number is complete. */
  before: number;
  /** Sequence numbers of answers behind that, which add nothing more. */
  answers: number[];
}

interface KnownTurn {
  /** Sequence number of the question that it belongs to, or its own. */
  place: number;
  turn: ConversationTurn;
  bytes: number;
}

interface Entry {
  revision: number;
  /** The claim that is worked on. */
  claim: Pick<Message, 'sequence' | 'attempts'>;
  known: Known | null;
}

/** A message whose history is asked for. */
type Place = Pick<Message, 'conversation_uuid' | 'sequence'>;

/**
 * The last rounds of recent conversations, so that the history and its tokens are not read and estimated with each message.
 * They are valid if each message since has gone through this process, which the sequence numbers show, and none that had
 * ended was changed, which the revision of the conversation shows. Everything else is read from the store.
 */
export class ConversationMemory {
  readonly #history: Pick<MessageHistory, 'before'>;
  readonly #entries: LRUCache<string, Entry>;
  readonly #tokens = new WeakMap<ConversationTurn, number>();

  constructor(history: Pick<MessageHistory, 'before'>, maximum = maximumBytes) {
    this.#history = history;
    this.#entries = new LRUCache({ maxSize: maximum, sizeCalculation: sizeOf });
  }

  /** A message was claimed; its revision was read with the claim. */
  see({ conversation_uuid: uuid, sequence, attempts, history_revision: revision }: ClaimedMessage): void {
    const entry = this.#entries.get(uuid);
    const claim = { sequence, attempts };
    if (entry?.revision === revision) entry.claim = claim;
    else this.#entries.set(uuid, { revision, claim, known: null });
  }

  /** The history before a claimed message, as {@link MessageHistory.before} has it. The turns are shared, and frozen. */
  async before({ conversation_uuid: uuid, sequence }: Place, rounds: number): Promise<ConversationTurn[]> {
    const entry = this.#entries.get(uuid);
    const { known } = entry ?? {};
    if (known?.rounds === rounds && advance(known, sequence)) return known.turns.map(({ turn }) => turn);
    const messages = await this.#history.before(uuid, sequence, rounds);
    const places = new Map(messages.map((message) => [message.uuid, message.sequence]));
    const turns = messages.map((message) =>
      toKnownTurn(message, places.get(message.reply_to ?? '') ?? message.sequence),
    );
    if (entry !== undefined && entry === this.#entries.peek(uuid) && entry.claim.sequence === sequence) {
      const answers = known?.answers.filter((answer) => answer > sequence) ?? [];
      this.#set(uuid, entry, { rounds, turns, before: sequence, answers });
    }
    return turns.map(({ turn }) => turn);
  }

  /** How many tokens a turn has, estimated once for each turn in memory. */
  tokensOf(turn: ConversationTurn): number {
    const known = this.#tokens.get(turn);
    if (known !== undefined) return known;
    const tokens = tokensOfTurn(turn);
    this.#tokens.set(turn, tokens);
    return tokens;
  }

  /** A message that this process has claimed ended. @param answer as it is stored */
  ended(question: Message, outcome: MessageOutcome, answer: Message | null): void {
    const { conversation_uuid: uuid, sequence, attempts } = question;
    const entry = this.#entries.peek(uuid);
    if (entry === undefined || entry.known === null) return;
    const { known, claim } = entry;
    // The next message may have been claimed in the transaction that ended this one.
    const isNextClaimed = claim.sequence > sequence;
    const isClaim = claim.sequence === sequence && claim.attempts === attempts;
    if ((!isClaim && !isNextClaimed) || !advance(known, sequence)) {
      this.#set(uuid, entry, null);
      return;
    }
    if (belongsToHistory(outcome)) {
      known.turns.push(toKnownTurn(question, sequence));
      if (answer?.state === 'finished') known.turns.push(toKnownTurn(answer, sequence));
    }
    known.before = sequence + 1;
    if (answer !== null) known.answers.push(answer.sequence);
    this.#set(uuid, entry, withLatestRounds(known));
  }

  /** The history of a conversation changes in a way that is not followed here. */
  forget(conversationUuid: string): void {
    this.#entries.delete(conversationUuid);
  }

  /** Another process may have worked on the conversations. */
  clear(): void {
    this.#entries.clear();
  }

  #set(uuid: string, { revision, claim }: Entry, known: Known | null): void {
    this.#entries.set(uuid, { revision, claim, known });
  }
}

/** Moves the place up to a message if nothing is between that adds to the history. @returns whether it is there */
function advance(known: Known, sequence: number): boolean {
  if (sequence < known.before) return false;
  for (let between = known.before; between < sequence; between += 1) {
    if (!known.answers.includes(between)) return false;
  }
  known.before = sequence;
  known.answers = known.answers.filter((answer) => answer > sequence);
  return true;
}

/** What the store would return: so many rounds, and what comes before the first of them only if there are fewer. */
function withLatestRounds(known: Known): Known {
  const surplus = countRounds(known.turns.map(({ turn }) => turn)) - known.rounds;
  if (surplus < 0) return known;
  const questions = known.turns.filter(({ turn }) => turn.role === 'user');
  const first = questions[surplus]?.place ?? Number.POSITIVE_INFINITY;
  return { ...known, turns: known.turns.filter(({ place }) => place >= first) };
}

/** The turn as the store would return it. */
function toKnownTurn(message: Message, place: number): KnownTurn {
  const chain = JSON.stringify(message.message_chain);
  const stored = storableText(chain);
  const { role, text, message_chain } = turnOf(message);
  const turn: ConversationTurn = {
    role,
    text: storableText(text),
    message_chain: stored === chain ? message_chain : JSON.parse(stored),
  };
  freeze(turn);
  // Two bytes for each character, of the text once more for its part of the chain.
  return { place, turn, bytes: 2 * (text.length + chain.length) + overhead };
}

function sizeOf({ known }: Entry): number {
  return overhead + (known?.turns.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0);
}
