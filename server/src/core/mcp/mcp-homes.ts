/** The folders that processes of servers have for their own, on this machine. */
export interface McpHomes {
  /** Uuids of the stored servers that have one. */
  list(): Promise<string[]>;
  /** Removes the one of a name, if there is one. */
  remove(name: string): Promise<void>;
}
