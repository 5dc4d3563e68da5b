/** Connects what notices something with what acts on it, so that neither has to know the other. */
export class Signal<Value = void> {
  readonly #listeners: ((value: Value) => void)[] = [];

  listen(listener: (value: Value) => void): void {
    this.#listeners.push(listener);
  }

  /** Calls the listeners, in the order in which they came. */
  emit(value: Value): void {
    for (const listener of this.#listeners) listener(value);
  }
}
