/** How configurations know an extension: parsers and engines by an id, all others by their name. */
export type Identified =
  | { readonly plugin_id: string }
  | { readonly name: string; readonly aliases?: readonly string[] };

/** The extensions of one kind, in their order. They may come and go while the service runs. */
export class Registry<Extension extends Identified> {
  readonly #extensions = new Map<string, Extension>();
  #changes = 0;

  /** @throws Error as {@link add} */
  constructor(extensions: Iterable<Extension> = []) {
    for (const extension of extensions) this.add(extension);
  }

  /** @throws Error when a name is taken; the extension that has it stays */
  add(extension: Extension): void {
    const names = namesOf(extension);
    const taken = names.find((name) => this.#extensions.has(name));
    if (taken !== undefined) throw new Error(`there already is an extension with the name ${taken}`);
    for (const name of names) this.#extensions.set(name, extension);
    this.#changes += 1;
  }

  /** Does nothing when it is not there. */
  remove(extension: Extension): void {
    for (const name of namesOf(extension)) {
      if (this.#extensions.get(name) === extension) this.#extensions.delete(name);
    }
    this.#changes += 1;
  }

  /** How often an extension came or went. */
  get changes(): number {
    return this.#changes;
  }

  /** @param name any of its names */
  get(name: string): Extension | undefined {
    return this.#extensions.get(name);
  }

  /** In the order in which they were added. */
  list(): Extension[] {
    return [...new Set(this.#extensions.values())];
  }
}

function namesOf(extension: Identified): readonly string[] {
  return 'plugin_id' in extension ? [extension.plugin_id] : [extension.name, ...(extension.aliases ?? [])];
}
