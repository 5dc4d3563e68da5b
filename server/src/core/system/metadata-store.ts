/** Small facts about the installation, by name. */
export interface MetadataStore {
  get(key: string): Promise<string | null>;
  set(key: string, value: string): Promise<void>;
  /** Succeeds for an unknown key. */
  delete(key: string): Promise<void>;
}
