/** Whether there may be an enabled webhook. */
export class WebhookPresence {
  #mayTell = true;
  #raised = 0;

  /**
   * False when no webhook was enabled since the stored ones were last read. It stays true from the first one on, so that no
   * message is missed between two writes.
   */
  get mayTell(): boolean {
    return this.#mayTell;
  }

  /** One may be enabled from now on. */
  raise(): void {
    this.#mayTell = true;
    this.#raised += 1;
  }

  /** Finds out whether there is one. What is read says nothing when one may have been enabled meanwhile. */
  async find(isAny: () => Promise<boolean>): Promise<void> {
    const before = this.#raised;
    const mayTell = await isAny();
    if (this.#raised === before) this.#mayTell = mayTell;
  }
}
