import type { CallFailure, CitationReport, ModelCall, Reason, Retrieval } from '@parley/sdk';

/** What one step did with a message or its answer. */
export interface TraceStep {
  /** Name of a stage, or of a step that is no stage: `bot`, `webhooks`, `pipeline`, `command`, `runner`, `deliver`. */
  name: string;
  outcome: 'passed' | 'changed' | 'merged' | 'stopped' | 'waited' | 'failed';
  /** Why it did not simply pass. */
  reason: Reason | null;
  milliseconds: number;
  /** Sizes, counts and names that explain it; no secrets. */
  details: Record<string, unknown>;
}

/** The version of a pipeline that processed a message. */
export interface PipelineVersionUsed {
  /** Of a draft, the published version that it was begun from. */
  version: number;
  /** When the draft was saved, ISO 8601 UTC; null if the version was published. */
  draft: { updated_at: string } | null;
}

/** How a message went through its pipeline, in order. Stored with its outcome. */
export interface MessageTrace {
  /** From 1; more after a crash or a wait. */
  attempt: number;
  /** Absent if the message did not get as far, and in traces of older versions of the service. */
  pipeline?: PipelineVersionUsed;
  gates: TraceStep[];
  /** Of failed model calls of this attempt, by their uuid; absent without. */
  failures?: Record<string, CallFailure>;
  /** The error that ended the message; absent if none did. */
  failure?: FailureFacts;
}

/** An error beside its reason. */
export interface FailureFacts extends CallFailure {
  /** In English; contains no secrets. */
  error: string;
}

/** The retrievals for an answer, and its citations. */
export interface KnowledgeRecord {
  /** In order. */
  retrievals: (Retrieval & { uuid: string })[];
  /** Null if nothing could be cited. */
  citations: CitationReport | null;
}

/** The trace that is stored when a message ends or its answer is complete. */
export interface MessageRecord {
  trace: MessageTrace;
  model_calls: (Omit<ModelCall, 'failure' | 'request'> & { uuid: string; cost: number | null })[];
  /** Absent without retrievals. */
  knowledge?: KnowledgeRecord;
}
