import { ParleyError } from '@parley/sdk';
import { TaskAborted, type TaskContext } from '../tasks/task-run.ts';
import { cancelled, type TaskService } from '../tasks/task-service.ts';
import type { KnowledgeDocument } from './document.ts';
import type { DocumentStore } from './document-store.ts';

/** An active task, and how to end it. */
interface LiveTask {
  baseUuid: string;
  context: TaskContext;
  end: PromiseWithResolvers<unknown>;
}

/** Why a task ends whose document has not ended. */
const abortions = { gone: 'the document was removed', elsewhere: 'another replica works on the document' };

/** The tasks that show the progress of documents. A task lasts from the queue to the end of the run. */
export class DocumentTasks {
  readonly #tasks: Pick<TaskService, 'start' | 'get'>;
  readonly #documents: Pick<DocumentStore, 'nameTask'>;
  readonly #cancel: (documentUuid: string) => void;
  readonly #live = new Map<string, LiveTask>();
  readonly #starting = new Map<string, Promise<number>>();

  /** @param cancel called when a user cancels the task of a document */
  constructor(
    tasks: Pick<TaskService, 'start' | 'get'>,
    documents: Pick<DocumentStore, 'nameTask'>,
    cancel: (documentUuid: string) => void,
  ) {
    this.#tasks = tasks;
    this.#documents = documents;
    this.#cancel = cancel;
  }

  /** The progress reporter of a document; null without an active task. */
  context(documentUuid: string): TaskContext | null {
    return this.#live.get(documentUuid)?.context ?? null;
  }

  /**
   * The task of a document to process: the existing one, else a new one, which the document names from then on.
   * @throws ParleyError `not_ready` while the service stops
   */
  ensure(document: KnowledgeDocument): Promise<number> {
    const live = this.#live.get(document.uuid);
    if (live !== undefined) return Promise.resolve(live.context.task_id);
    const starting = this.#starting.get(document.uuid) ?? this.#start(document);
    this.#starting.set(document.uuid, starting);
    return starting.finally(() => this.#starting.delete(document.uuid));
  }

  /** The task of a document in any state; a deleted one is created again. */
  async number(document: KnowledgeDocument): Promise<number> {
    const { stage, task_id } = document;
    if (stage !== 'ready' && stage !== 'failed' && stage !== 'cancelled') return this.ensure(document);
    if (task_id !== null && (await this.#isKnown(task_id))) return task_id;
    const number = await this.ensure(document);
    this.ended(document);
    return number;
  }

  /** Ends the task of a document that is finished, deleted, or worked on by another replica, which has a task of its own. */
  ended(document: KnowledgeDocument | { uuid: string; stage: keyof typeof abortions }): void {
    const live = this.#live.get(document.uuid);
    if (live === undefined) return;
    this.#live.delete(document.uuid);
    if (document.stage === 'ready') {
      live.end.resolve({ document_uuid: document.uuid, chunk_count: document.chunk_count });
    } else if (document.stage === 'failed') {
      live.end.reject(new ParleyError(document.reason ?? 'internal', document.error ?? 'An unexpected fault'));
    } else {
      const isAborted = document.stage === 'gone' || document.stage === 'elsewhere';
      live.end.reject(new TaskAborted(isAborted ? abortions[document.stage] : cancelled));
    }
  }

  /** Ends the tasks of a deleted base. */
  baseRemoved(baseUuid: string): void {
    const documents = [...this.#live].filter(([, task]) => task.baseUuid === baseUuid);
    for (const [uuid] of documents) this.ended({ uuid, stage: 'gone' });
  }

  /** Ends all tasks while the service stops; the documents are resumed after the next start. */
  stop(): void {
    for (const { end } of this.#live.values()) end.reject(new TaskAborted('interrupted by a stop of the service'));
    this.#live.clear();
  }

  async #start(document: KnowledgeDocument): Promise<number> {
    const { uuid, file_uuid, file_name, knowledge_base_uuid } = document;
    const task = await this.#tasks.start(
      {
        task_type: 'user',
        kind: 'knowledge-operation',
        name: `knowledge-store-file-${file_uuid}`,
        label: `Store file ${file_uuid}`,
        scopes: ['application'],
      },
      (context) => {
        const end = Promise.withResolvers<unknown>();
        this.#live.set(uuid, { baseUuid: knowledge_base_uuid, context, end });
        context.setAction('Waiting');
        context.setMetadata({ knowledge_base_uuid, document_uuid: uuid, file_name });
        const abort = () => {
          if (this.#live.get(uuid)?.context === context) this.#cancel(uuid);
        };
        context.signal.addEventListener('abort', abort, { once: true });
        return end.promise;
      },
    );
    await this.#documents.nameTask(uuid, task.id);
    return task.id;
  }

  async #isKnown(taskId: number): Promise<boolean> {
    try {
      await this.#tasks.get(taskId);
      return true;
    } catch (error) {
      if (error instanceof ParleyError && error.reason === 'not_found') return false;
      throw error;
    }
  }
}
