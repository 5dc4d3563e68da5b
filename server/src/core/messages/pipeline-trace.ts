import type { CitationReport, KnowledgePassage, ModelCall, Reason, Retrieval } from '@parley/sdk';
import { newUuid } from '../../lib/uuid.ts';
import { storedReport, storedRetrieval } from './knowledge-record.ts';
import type { KnowledgeRecord, MessageRecord, PipelineVersionUsed, TraceStep } from './message-trace.ts';

/** The result of a step, for the trace. */
export type StepOutcome = Pick<TraceStep, 'outcome'> & Partial<Pick<TraceStep, 'reason' | 'details'>>;

/** Collects how one message goes through its pipeline. */
export class PipelineTrace {
  readonly #attempt: number;
  readonly #pipeline: PipelineVersionUsed | null;
  readonly #steps: TraceStep[] = [];
  readonly #calls: MessageRecord['model_calls'] = [];
  #knowledge: KnowledgeRecord | null = null;

  /** @param pipeline null when the message does not get as far as its pipeline */
  constructor(attempt: number, pipeline: PipelineVersionUsed | null = null) {
    this.#attempt = attempt;
    this.#pipeline = pipeline;
  }

  /** Runs a step and records its duration and result. A step that throws is recorded as failed. */
  async step<Result>(name: string, run: () => Promise<Result> | Result, found: (result: Result) => StepOutcome) {
    const started = performance.now();
    try {
      const result = await run();
      this.add(name, started, found(result));
      return result;
    } catch (error) {
      this.add(name, started, { outcome: 'failed', reason: reasonOf(error) });
      throw error;
    }
  }

  /** @param started `performance.now()` at the start of the step */
  add(name: string, started: number, { outcome, reason = null, details = {} }: StepOutcome): void {
    const milliseconds = Math.round((performance.now() - started) * 100) / 100;
    this.#steps.push({ name, outcome, reason, milliseconds, details });
  }

  addCall(call: ModelCall, cost: number | null): void {
    this.#calls.push({ ...call, uuid: newUuid(), cost });
  }

  addRetrieval(retrieval: Retrieval): void {
    this.#knowledge ??= { retrievals: [], citations: null };
    const stored = storedRetrieval(retrieval, this.#knowledge.retrievals);
    if (stored !== null) this.#knowledge.retrievals.push({ ...stored, uuid: newUuid() });
  }

  setCitations(report: CitationReport): void {
    this.#knowledge ??= { retrievals: [], citations: null };
    this.#knowledge.citations = storedReport(report);
  }

  /** The number of knowledge bases searched and the results; null when none was searched. */
  get knowledge(): { asked: number; found: number; cited: number; dropped: number } | null {
    if (this.#knowledge === null) return null;
    const { retrievals, citations } = this.#knowledge;
    return {
      asked: new Set(retrievals.flatMap(({ knowledge_bases }) => knowledge_bases)).size,
      found: new Set(retrievals.flatMap(({ passages }) => passages.map(keyOf))).size,
      cited: new Set(citations?.citations.map(({ number }) => number)).size,
      dropped: citations?.dropped ?? 0,
    };
  }

  get record(): MessageRecord {
    return {
      trace: {
        attempt: this.#attempt,
        ...(this.#pipeline === null ? {} : { pipeline: this.#pipeline }),
        gates: this.#steps,
      },
      model_calls: this.#calls,
      ...(this.#knowledge === null ? {} : { knowledge: this.#knowledge }),
    };
  }
}

function keyOf({ knowledge_base_uuid, id }: Pick<KnowledgePassage, 'knowledge_base_uuid' | 'id'>): string {
  return `${knowledge_base_uuid} ${id}`;
}

function reasonOf(error: unknown): Reason {
  const reason = (error as { reason?: unknown } | null)?.reason;
  return typeof reason === 'string' ? (reason as Reason) : 'internal';
}
