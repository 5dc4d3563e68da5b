import type { McpTool, StoredMcpServer } from './mcp-server.ts';

/** Why a write was refused. Nothing has changed then. */
export type McpServerRefusal = { reason: 'not_found' | 'limit_reached' | 'name_taken' };

/** Names are compared without regard to capital letters. */
export interface McpServerStore {
  /** Oldest first. */
  list(): Promise<StoredMcpServer[]>;
  byUuid(uuid: string): Promise<StoredMcpServer | null>;
  byName(name: string): Promise<StoredMcpServer | null>;
  /** @param maximum most servers that there may be with this one; -1 for no limit */
  create(server: StoredMcpServer, maximum: number): Promise<McpServerRefusal | null>;
  /** @param change receives the stored record, which is locked meanwhile; its errors are rethrown */
  update(uuid: string, change: (stored: StoredMcpServer) => StoredMcpServer): Promise<McpServerRefusal | null>;
  /** Stores the tools of a server until there is a newer list. */
  saveTools(uuid: string, tools: readonly McpTool[]): Promise<void>;
  /** Deletes a server, also from the pipelines that name it. @returns false when there is none */
  delete(uuid: string, now: string): Promise<boolean>;
}
