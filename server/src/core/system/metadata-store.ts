/** Small facts about the installation, by name. */
export interface MetadataStore {
  get(key: string): Promise<string | null>;
  set(key: string, value: string): Promise<void>;
  /**
   * Sets a value if the present one is `before`; null stands for none.
   * @returns false when it is another one
   */
  replace(key: string, before: string | null, value: string): Promise<boolean>;
  /** Succeeds for an unknown key. */
  delete(key: string): Promise<void>;
}
