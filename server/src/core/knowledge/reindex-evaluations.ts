import { type Logger, ParleyError } from '@parley/sdk';
import type { StateEvent, StateEvents } from '../events/state-events.ts';
import type { Task } from '../tasks/task.ts';
import type { TaskService } from '../tasks/task-service.ts';
import type { EvaluationService } from './evaluation-service.ts';

/** The documents of a base that are re-indexed. */
interface Awaited {
  tasks: Set<number>;
  /** Whether one of them ended, in any state. */
  hasEnded: boolean;
}

export interface ReindexEvaluationsOptions {
  evaluations: Pick<EvaluationService, 'start'>;
  tasks: Pick<TaskService, 'get'>;
  events: Pick<StateEvents, 'watch'>;
  logger: Logger;
}

/**
 * Evaluates the golden questions after re-indexing: once, after the last of the concurrently re-indexed documents. A
 * restart drops it; users can start an evaluation themselves.
 */
export class ReindexEvaluations {
  readonly #options: ReindexEvaluationsOptions;
  readonly #awaited = new Map<string, Awaited>();

  constructor(options: ReindexEvaluationsOptions) {
    this.#options = options;
    const watcher = ({ type, data }: StateEvent) => {
      if (type === 'task' && data.state !== 'PENDING') this.#ended(Number(data.id), data.state as EndState);
      if (type === 'resync') for (const id of this.#awaitedTasks()) void this.#checkEnded(id).catch(() => undefined);
    };
    options.events.watch(watcher, ['task', 'resync']);
  }

  /** Awaits the task of a document of a base. */
  async follow(baseUuid: string, taskId: number): Promise<void> {
    const awaited = this.#awaited.get(baseUuid) ?? { tasks: new Set(), hasEnded: false };
    awaited.tasks.add(taskId);
    this.#awaited.set(baseUuid, awaited);
    // It may have ended before it was awaited.
    await this.#checkEnded(taskId);
  }

  #awaitedTasks(): number[] {
    return [...this.#awaited.values()].flatMap(({ tasks }) => [...tasks]);
  }

  async #checkEnded(taskId: number): Promise<void> {
    const { runtime } = await this.#options.tasks.get(taskId);
    if (runtime.done) this.#ended(taskId, runtime.state as EndState);
  }

  #ended(taskId: number, state: EndState): void {
    for (const [baseUuid, awaited] of this.#awaited) {
      if (!awaited.tasks.delete(taskId)) continue;
      if (state === 'FINISHED') awaited.hasEnded = true;
      if (awaited.tasks.size > 0) return;
      this.#awaited.delete(baseUuid);
      if (awaited.hasEnded) void this.#ask(baseUuid);
    }
  }

  async #ask(baseUuid: string): Promise<void> {
    try {
      await this.#options.evaluations.start(baseUuid, {}, 'reindex');
    } catch (error) {
      // A base without questions, or a deleted one, is no error.
      if (error instanceof ParleyError) return;
      this.#options.logger.error(
        { error, knowledge_base: baseUuid },
        'failed to start an evaluation of the golden questions',
      );
    }
  }
}

type EndState = Exclude<Task['runtime']['state'], 'PENDING'>;
