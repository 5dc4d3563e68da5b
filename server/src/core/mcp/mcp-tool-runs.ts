import { ParleyError, type PipelineMessage, problemError } from '@parley/sdk';
import { now } from '../../lib/clock.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { Account } from '../accounts/account.ts';
import type { ToolCallRecords } from '../tools/tool-call-store.ts';
import type { ToolGateway } from '../tools/tool-gateway.ts';
import type { McpServer, RunTool, ToolRun } from './mcp-server.ts';
import type { McpToolSource } from './mcp-tool-source.ts';

export interface McpToolRunsOptions {
  source: Pick<McpToolSource, 'tool'>;
  gateway: Pick<ToolGateway, 'callOnce'>;
}

export interface ToolRunContext {
  /** A signed-in admin, for whom all tools run. */
  account: Pick<Account, 'uuid' | 'user'>;
  /** Records the call. */
  store: ToolCallRecords;
  signal: AbortSignal;
}

/** Calls of single tools by admins, with the checks and limits of calls by models. */
export class McpToolRuns {
  readonly #options: McpToolRunsOptions;

  constructor(options: McpToolRunsOptions) {
    this.#options = options;
  }

  /**
   * @throws ParleyError `conflict` for a disabled server, `not_found` for an unknown tool, `invalid_request` for invalid
   *   parameters, `tool_timeout`, `tool_failed`; the reason of the signal when it is aborted
   */
  async run(
    { uuid, enable }: Pick<McpServer, 'uuid' | 'enable'>,
    { tool: name, parameters = {}, timeout = 60 }: RunTool,
    { account, store, signal }: ToolRunContext,
  ): Promise<ToolRun> {
    if (!enable) throw problemError('server_disabled');
    const tool = await this.#options.source.tool(uuid, name);
    if (tool === null) throw problemError('tool_not_found');
    const started = performance.now();
    const message = messageOf(account);
    const call = { tool, parameters, message, timeoutMs: timeout * 1000, store };
    const outcome = await this.#options.gateway.callOnce(call, signal);
    const { state, reason, error, details = [], modelText: text, attachments } = outcome;
    if (state !== 'succeeded') throw new ParleyError(reason ?? 'tool_failed', error ?? '', { details: [...details] });
    return { text, attachments, milliseconds: Math.round(performance.now() - started) };
  }
}

/** What a tool receives in place of the message: who calls it, and no content. */
function messageOf({ uuid, user }: ToolRunContext['account']): PipelineMessage {
  return {
    uuid: newUuid(),
    bot_uuid: '',
    pipeline_uuid: '',
    conversation_uuid: '',
    session_type: 'person',
    session_id: uuid,
    thread_id: '',
    sequence: 1,
    platform_message_id: null,
    sender_id: uuid,
    sender_name: user,
    facts: { signed_in_admin: true },
    message_chain: [],
    created_at: now(),
  };
}
