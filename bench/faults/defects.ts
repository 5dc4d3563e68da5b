import type { Engine } from '../lib/installation.ts';
import type { Replacement } from './lib/source-tree.ts';
import type { ScenarioOutcome } from './scenario.ts';
import type { FaultSizes } from './sizes.ts';

/** A fault of the program that the harness has to find. */
export interface Defect {
  name: string;
  /** What makes it: the sources have to hold each text exactly once. */
  replacements: readonly Replacement[];
  /** The scenario that finds it. */
  scenario: string;
  engine: Engine;
  /** Beyond the short ones. */
  sizes?: Partial<FaultSizes>;
  isFound(outcome: ScenarioOutcome): boolean;
}

const sum = ({ verdicts }: ScenarioOutcome, figure: 'lost' | 'failed' | 'ended_by_store' | 'partial' | 'repeated') =>
  Object.values(verdicts).reduce((total, verdict) => total + verdict[figure], 0);

export const defects: readonly Defect[] = [
  {
    name: 'drop on 429',
    replacements: [
      {
        file: 'server/src/core/messages/delivery-outcomes.ts',
        from: "if (failure.kind === 'refused') return 'never';",
        to: "if (failure.kind === 'refused' || failure.reason === 'quota') return 'never';",
      },
    ],
    scenario: 'limits',
    engine: 'sqlite',
    sizes: { 'longest-pause': 3 },
    isFound: (outcome) => sum(outcome, 'failed') + sum(outcome, 'lost') > 0,
  },
  {
    name: 'settle on store error',
    replacements: [
      {
        file: 'server/src/core/messages/message-dispatcher.ts',
        from: '    const fault = findStorageError(error);',
        to: '    const fault = null as ReturnType<typeof findStorageError>;',
      },
      {
        file: 'server/src/core/messages/persist.ts',
        from: 'if (signal.aborted || !mayPass(error)) throw error;',
        to: 'throw error;',
      },
    ],
    scenario: 'postgres',
    engine: 'postgres',
    sizes: { crashes: 0, restarts: 4, cuts: 0 },
    isFound: (outcome) => sum(outcome, 'ended_by_store') > 0,
  },
  {
    name: 'lost handle',
    replacements: [
      {
        file: 'server/src/core/messages/answer-delivery.ts',
        from: 'await this.#persist(signal, () => this.#options.deliveries.storeHandle(claimed, handle));',
        to: 'await Promise.resolve();',
      },
    ],
    scenario: 'kills',
    engine: 'sqlite',
    sizes: { kills: 12 },
    isFound: (outcome) => sum(outcome, 'partial') + sum(outcome, 'repeated') > 0,
  },
  {
    name: 'lease of another',
    replacements: [
      {
        file: 'server/src/storage/replicas/replica-leases.ts',
        from: 'if (replica !== this.#options.id() || this.#held.has(name) || name in freed) continue;',
        to: 'if (this.#held.has(name) || name in freed) continue;',
      },
    ],
    scenario: 'postgres',
    engine: 'postgres',
    sizes: { crashes: 0, restarts: 0, cuts: 1, patience: 20 },
    isFound: ({ problems }) => problems.some((problem) => /beside/.test(problem)),
  },
  {
    name: 'gap in parts',
    replacements: [
      {
        file: 'server/src/core/messages/answer-delivery.ts',
        from: 'rest ??= await this.#restAfter(outcome, bot.uuid);',
        to: 'rest ??= run.isResumed ? sentOutcome({ platform_message_id: null }) : await this.#restAfter(outcome, bot.uuid);',
      },
    ],
    scenario: 'parts',
    engine: 'sqlite',
    isFound: ({ problems }) => problems.some((problem) => /is missing and not named/.test(problem)),
  },
  {
    name: 'unfair intake',
    replacements: [
      {
        file: 'server/src/platforms/telegram/polling.ts',
        from: 'const updatesOfPoll = 100;',
        to: 'const updatesOfPoll = 1;',
      },
    ],
    scenario: 'flood',
    engine: 'sqlite',
    sizes: { flood: 2000, patience: 20 },
    isFound: ({ problems }) => problems.some((problem) => /stored within/.test(problem)),
  },
];
