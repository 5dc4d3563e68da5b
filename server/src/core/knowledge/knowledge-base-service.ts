import type { CreateKnowledgeBase, ShownKnowledgeBase, UpdateKnowledgeBase } from './knowledge-base.ts';

/** Knowledge bases as records. */
export class KnowledgeBaseService {
  /** Oldest first. */
  async list(): Promise<ShownKnowledgeBase[]> {
    throw new Error('not built');
  }

  /** @throws ParleyError `not_found`, as every method that takes a uuid */
  async get(_uuid: string): Promise<ShownKnowledgeBase> {
    throw new Error('not built');
  }

  /**
   * @returns the new base's uuid
   * @throws ParleyError `invalid_request` with the path of each fault, `secret_required`, `limit_reached`, or why the
   *   engine could not make it; nothing is stored then
   */
  async create(_request: CreateKnowledgeBase): Promise<string> {
    throw new Error('not built');
  }

  /**
   * Replaces what the request holds and leaves the rest. Other `creation_settings` begin a rebuild.
   * @returns the number of the rebuild's task; null when none was begun
   * @throws ParleyError as {@link create}, or `conflict` when a rebuild is under way; nothing is changed then
   */
  async update(_uuid: string, _request: UpdateKnowledgeBase): Promise<{ task_id: number | null }> {
    throw new Error('not built');
  }

  /**
   * Removes a base with its documents. What its engine stored is removed afterwards.
   * @throws ParleyError `in_use` while pipelines name it
   */
  async delete(_uuid: string): Promise<void> {
    throw new Error('not built');
  }
}
