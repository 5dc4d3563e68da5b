import type {
  CallFailure,
  CitationReport,
  KnowledgePassage,
  ModelCall,
  ParleyError,
  Reason,
  Retrieval,
  SentRequest,
} from '@parley/sdk';
import { newUuid } from '../../lib/uuid.ts';
import { passageKey, storedReport, storedRetrieval, withCitedTexts } from './knowledge-record.ts';
import type { FailureFacts, KnowledgeRecord, MessageRecord, PipelineVersionUsed, TraceStep } from './message-trace.ts';

/** The result of a step, for the trace. */
export type StepOutcome = Pick<TraceStep, 'outcome'> & Partial<Pick<TraceStep, 'reason' | 'details'>>;

/** Collects how one message goes through its pipeline. */
export class PipelineTrace {
  readonly #attempt: number;
  readonly #pipeline: PipelineVersionUsed | null;
  readonly #steps: TraceStep[] = [];
  readonly #calls: MessageRecord['model_calls'] = [];
  readonly #failures: Record<string, CallFailure> = {};
  /** Of calls whose request is kept, by their uuid. */
  readonly requests = new Map<string, SentRequest>();
  #failure: FailureFacts | null = null;
  #knowledge: KnowledgeRecord | null = null;
  /** The complete texts of passages, until it is known which of them are cited. */
  readonly #texts = new Map<string, string>();

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
    const { failure, request, ...recorded } = call;
    const uuid = newUuid();
    this.#calls.push({ ...recorded, uuid, cost });
    if (failure) this.#failures[uuid] = failure;
    if (request) this.requests.set(uuid, request);
  }

  addRetrieval(retrieval: Retrieval): void {
    this.#knowledge ??= { retrievals: [], citations: null };
    const stored = storedRetrieval(retrieval, this.#knowledge.retrievals);
    if (stored === null) return;
    this.#knowledge.retrievals.push({ ...stored, uuid: newUuid() });
    for (const passage of retrieval.passages.slice(0, stored.passages.length)) {
      this.#texts.set(keyOf(passage), passage.text);
    }
  }

  setCitations(report: CitationReport): void {
    this.#knowledge ??= { retrievals: [], citations: null };
    this.#knowledge.citations = storedReport(report);
    this.#knowledge.retrievals = withCitedTexts(this.#knowledge.retrievals, this.#knowledge.citations, this.#texts);
    this.#texts.clear();
  }

  /** The error that ends the message; of several, the first. */
  fail(error: ParleyError): void {
    this.#failure ??= { error: error.message, response: error.response ?? null, hint: error.hint ?? null };
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
        ...(Object.keys(this.#failures).length === 0 ? {} : { failures: this.#failures }),
        ...(this.#failure === null ? {} : { failure: this.#failure }),
      },
      model_calls: this.#calls,
      ...(this.#knowledge === null ? {} : { knowledge: this.#knowledge }),
    };
  }
}

function keyOf({ knowledge_base_uuid, id }: Pick<KnowledgePassage, 'knowledge_base_uuid' | 'id'>): string {
  return passageKey(knowledge_base_uuid, id);
}

function reasonOf(error: unknown): Reason {
  const reason = (error as { reason?: unknown } | null)?.reason;
  return typeof reason === 'string' ? (reason as Reason) : 'internal';
}
