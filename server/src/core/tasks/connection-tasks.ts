import { type Logger, ParleyError } from '@parley/sdk';
import type { NewTask } from './task.ts';
import { TaskAborted, type TaskContext } from './task-run.ts';
import type { TaskService } from './task-service.ts';

/** How the connection of a bot to its platform is now. */
export interface ConnectionStatus {
  /** `stopped` is the end; in every other state the connection is maintained or retried. */
  state: 'starting' | 'running' | 'reconnecting' | 'error' | 'stopped';
  /** The error; safe to show. */
  error: string | null;
}

export interface ConnectionTasksOptions {
  tasks: Pick<TaskService, 'start'>;
  /** The record of a bot; null when there is none. */
  bot: (uuid: string) => Promise<{ name: string; adapter: string } | null>;
  logger: Logger;
}

const sayings: Record<ConnectionStatus['state'], string> = {
  starting: 'connecting to the platform',
  running: 'connected to the platform',
  reconnecting: 'connecting to the platform again',
  error: 'not connected to the platform',
  stopped: 'the connection was ended',
};

/** Shows each connection of a bot as a task of the system, which runs as long as the connection is maintained. */
export class ConnectionTasks {
  readonly #options: ConnectionTasksOptions;
  readonly #active = new Map<string, ConnectionTask>();

  constructor(options: ConnectionTasksOptions) {
    this.#options = options;
  }

  /** Takes note of a new state of a bot's connection. */
  observe(botUuid: string, { state, error }: ConnectionStatus): void {
    if (state === 'stopped') {
      this.#active.get(botUuid)?.end(new TaskAborted(sayings.stopped));
      this.#active.delete(botUuid);
      return;
    }
    const task = this.#active.get(botUuid) ?? this.#begin(botUuid);
    task.report(state, error === null ? sayings[state] : `${sayings[state]}: ${error}`);
  }

  #begin(botUuid: string): ConnectionTask {
    const task = new ConnectionTask(botUuid);
    this.#active.set(botUuid, task);
    this.#record(botUuid, task).catch((error: unknown) => {
      // A bot that connects while the service stops is not worth a word.
      if (error instanceof ParleyError && error.reason === 'not_ready') return;
      this.#options.logger.error({ bot: botUuid, error }, 'failed to create a task for the connection of a bot');
    });
    return task;
  }

  async #record(botUuid: string, task: ConnectionTask): Promise<void> {
    const bot = await this.#options.bot(botUuid);
    if (bot === null) return;
    const request: NewTask = {
      task_type: 'system',
      kind: 'platform-adapter',
      name: `platform-adapter-${bot.adapter}`,
      label: bot.name,
      scopes: ['application', 'platform'],
      cancel_refusal: 'connection_task',
    };
    await this.#options.tasks.start(request, (context) => task.run(context));
  }
}

/** Work that waits for the end of a connection and reports its states. */
class ConnectionTask {
  readonly #botUuid: string;
  readonly #ended = Promise.withResolvers<never>();
  /** States from before the task was stored. */
  readonly #early: [state: string, message: string][] = [];
  #context: TaskContext | null = null;

  constructor(botUuid: string) {
    this.#botUuid = botUuid;
    // An end from before the task was stored waits for `run`.
    this.#ended.promise.catch(() => undefined);
  }

  run(context: TaskContext): Promise<never> {
    this.#context = context;
    context.setMetadata({ bot_uuid: this.#botUuid });
    for (const [state, message] of this.#early.splice(0)) this.report(state, message);
    context.signal.addEventListener('abort', () => this.end(context.signal.reason), { once: true });
    return this.#ended.promise;
  }

  report(state: string, message: string): void {
    if (this.#context === null) {
      this.#early.push([state, message]);
    } else {
      this.#context.setAction(state);
      this.#context.log(message);
    }
  }

  end(reason: unknown): void {
    this.#ended.reject(reason);
  }
}
