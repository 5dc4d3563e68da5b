import type { Engine } from '../lib/installation.ts';
import type { Verdict } from './judge.ts';
import type { FaultSizes } from './sizes.ts';

export interface ScenarioOptions {
  engine: Engine;
  sizes: FaultSizes;
  /** The source tree of the service. Default: this repository. */
  tree?: string;
  log(line: string): void;
}

/** What a scenario found. */
export interface ScenarioOutcome {
  /** By the name of the bot, or of the group of bots. */
  verdicts: Record<string, Verdict>;
  /** More figures; the unit is the end of a name. */
  figures: Record<string, number | string | boolean>;
  /** Whatever should not be, one sentence each. */
  problems: string[];
}

/** Something that is done to a service while users write. */
export interface Scenario {
  /** One sentence. */
  summary: string;
  engines: readonly Engine[];
  /** Whether engines are tried beside each other, since it waits most of the time. */
  isPatient?: boolean;
  run(options: ScenarioOptions): Promise<ScenarioOutcome>;
}
