import type { Figures } from '../lib/benchmark.ts';

/** How large scenarios are. */
export interface ReplicaSizes {
  /** Questions a second. */
  rate: number;
  conversations: number;
  seconds: number;
  /** Of `pauses`. */
  pauses: number;
  /** Repetitions of each takeover. */
  takeovers: number;
  /** Rounds of each cost measurement. */
  rounds: number;
  /** Longest wait until everything is answered, seconds. */
  patience: number;
}

export interface ReplicaScenarioOptions {
  sizes: ReplicaSizes;
  tree?: string;
  log(line: string): void;
}

/** What a scenario found: its figures, and whatever should not be, one sentence each. */
export interface ReplicaScenarioOutcome {
  figures: Figures;
  problems: string[];
  /** Limits of time that were exceeded, one sentence each: a machine that is busy with other things may do that. */
  late?: string[];
}

/** Something that is done to several processes on one database while users write. */
export interface ReplicaScenario {
  /** One sentence. */
  summary: string;
  run(options: ReplicaScenarioOptions): Promise<ReplicaScenarioOutcome>;
}
