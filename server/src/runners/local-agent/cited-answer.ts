import type { RunnerContext, RunnerDelta } from '@parley/sdk';
import { CitationStream } from './citation-stream.ts';
import type { LocalAgentSettings } from './config.ts';
import type { Knowledge } from './knowledge.ts';
import { sourceList } from './source-list.ts';

/** Wraps the stream of an answer: adds knowledge base queries and checks citations. */
export class CitedAnswer {
  readonly #knowledge: Knowledge;
  readonly #setting: LocalAgentSettings['citations'];
  readonly #signal: AbortSignal;
  readonly #linkOf: RunnerContext['citationLink'];
  /** Null when there is nothing to cite, or citations are off. */
  readonly #citations: CitationStream | null;

  /** @param signal aborted when the answer is no longer needed */
  constructor(
    knowledge: Knowledge,
    setting: LocalAgentSettings['citations'],
    context: Pick<RunnerContext, 'citationLink'>,
    signal: AbortSignal,
  ) {
    this.#knowledge = knowledge;
    this.#setting = setting;
    this.#signal = signal;
    this.#linkOf = context.citationLink;
    this.#citations = setting === 'off' || !knowledge.isThere ? null : new CitationStream(knowledge.passages);
  }

  /** The text of a model, with its citations checked. @throws errors of the model's stream */
  async *checked<Result>(said: AsyncGenerator<RunnerDelta, Result>): AsyncGenerator<RunnerDelta, Result> {
    try {
      let next = await said.next();
      // Not delegated to generators, which would cost several promises for each delta, even without any to add.
      for (; !next.done; next = await said.next()) {
        for (const retrieval of this.retrievals()) yield retrieval;
        const { value } = next;
        // Aborted while the previous record was read: the end of the call is still reported.
        if (this.#signal.aborted && value.type !== 'model_call') continue;
        if (value.type === 'text' && this.#citations !== null) {
          for (const text of this.#text(this.#citations.push(value.text))) yield text;
        } else yield value;
      }
      yield* this.#text(this.#citations?.flush() ?? '');
      return next.value;
    } catch (error) {
      yield* this.retrievals();
      // After an abort, only records may follow.
      if (!this.#signal.aborted) {
        yield* this.#text(this.#citations?.flush() ?? '');
        yield* this.#report();
      }
      throw error;
    } finally {
      // The reader may stop early.
      await said.return(undefined as never);
    }
  }

  /** Knowledge base queries since the last call. */
  *retrievals(): Generator<RunnerDelta> {
    for (const retrieval of this.#knowledge.takeRecords()) yield { type: 'retrieval', retrieval };
  }

  /** Deltas after the complete text. */
  *conclusion(): Generator<RunnerDelta> {
    const sources = this.#setting === 'list' ? sourceList(this.#citations?.cited ?? [], this.#linkOf) : '';
    if (sources !== '') yield { type: 'appendix', text: sources };
    yield* this.#report();
  }

  *#report(): Generator<RunnerDelta> {
    if (this.#citations !== null && this.#knowledge.passages.size > 0) {
      yield { type: 'citations', report: this.#citations.report };
    }
  }

  *#text(text: string): Generator<RunnerDelta> {
    if (text !== '') yield { type: 'text', text };
  }
}
