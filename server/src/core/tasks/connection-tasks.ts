import type { Logger } from '@parley/sdk';
import type { NewTask } from './task.ts';
import { TaskAborted, type TaskContext } from './task-run.ts';
import type { TaskService } from './task-service.ts';

/** How the connection of a bot to its platform is now. */
export interface ConnectionChange {
  bot_uuid: string;
  bot_name: string;
  adapter: string;
  /** `stopped` is the end; in every other state the connection is kept, or tried for. */
  state: 'starting' | 'running' | 'reconnecting' | 'error' | 'stopped';
  /** What is wrong; safe to show. */
  error: string | null;
}

const sayings: Record<ConnectionChange['state'], string> = {
  starting: 'connecting to the platform',
  running: 'connected to the platform',
  reconnecting: 'connecting to the platform again',
  error: 'not connected to the platform',
  stopped: 'the connection was ended',
};

/** Shows each connection of a bot as a task of the system, which runs for as long as the connection is kept. */
export class ConnectionTasks {
  readonly #tasks: Pick<TaskService, 'start'>;
  readonly #logger: Logger;
  readonly #kept = new Map<string, ConnectionTask>();

  constructor(tasks: Pick<TaskService, 'start'>, logger: Logger) {
    this.#tasks = tasks;
    this.#logger = logger;
  }

  observe(change: ConnectionChange): void {
    const { bot_uuid: botUuid, state, error } = change;
    if (state === 'stopped') {
      this.#kept.get(botUuid)?.end(new TaskAborted(sayings.stopped));
      this.#kept.delete(botUuid);
      return;
    }
    const task = this.#kept.get(botUuid) ?? this.#begin(change);
    task.tell(state, error === null ? sayings[state] : `${sayings[state]}: ${error}`);
  }

  #begin({ bot_uuid, bot_name, adapter }: ConnectionChange): ConnectionTask {
    const task = new ConnectionTask(bot_uuid);
    this.#kept.set(bot_uuid, task);
    const request: NewTask = {
      task_type: 'system',
      kind: 'platform-adapter',
      name: `platform-adapter-${adapter}`,
      label: bot_name,
      scopes: ['application', 'platform'],
      cancel_refusal: 'The task is the connection of a bot; disable the bot to end it',
    };
    this.#tasks
      .start(request, (context) => task.run(context))
      .catch((error: unknown) => {
        this.#logger.error({ bot: bot_uuid, error }, 'the connection of a bot could not be put on record');
      });
    return task;
  }
}

/** Work that waits for the end of a connection and tells what it hears meanwhile. */
class ConnectionTask {
  readonly #botUuid: string;
  readonly #ended = Promise.withResolvers<never>();
  /** What came before the task was on record. */
  readonly #early: [state: string, message: string][] = [];
  #context: TaskContext | null = null;

  constructor(botUuid: string) {
    this.#botUuid = botUuid;
    // An end that comes before the task is on record waits for `run`.
    this.#ended.promise.catch(() => undefined);
  }

  run(context: TaskContext): Promise<never> {
    this.#context = context;
    context.setMetadata({ bot_uuid: this.#botUuid });
    for (const [state, message] of this.#early.splice(0)) this.tell(state, message);
    context.signal.addEventListener('abort', () => this.end(context.signal.reason), { once: true });
    return this.#ended.promise;
  }

  tell(state: string, message: string): void {
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
