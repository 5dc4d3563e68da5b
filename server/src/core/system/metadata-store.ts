/** Small facts about the installation, by name. */
export interface MetadataStore {
  get(key: string): Promise<string | null>;
  set(key: string, value: string): Promise<void>;
  /** Forgets what is not there, too. */
  delete(key: string): Promise<void>;
}
