/**
 * A read that callers share. Each gets a result of a read that began after its call: who calls while one is under way
 * waits for the next, together with all others.
 */
export class SharedRead<Value> {
  readonly #read: () => Promise<Value>;
  #current: Promise<Value> | null = null;
  #next: Promise<Value> | null = null;

  constructor(read: () => Promise<Value>) {
    this.#read = read;
  }

  /** @throws the error of the read, for all that share it */
  get(): Promise<Value> {
    if (this.#current === null) return this.#begin();
    this.#next ??= this.#current.then(
      () => this.#begin(),
      () => this.#begin(),
    );
    return this.#next;
  }

  #begin(): Promise<Value> {
    this.#next = null;
    const reading = this.#read();
    this.#current = reading;
    const ended = () => {
      if (this.#next === null) this.#current = null;
    };
    reading.then(ended, ended);
    return reading;
  }
}
