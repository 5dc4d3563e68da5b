import { SseError } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { type Hint, hintOfCode, ParleyError } from '@parley/sdk';
import { ConnectionLost } from '../core/mcp/mcp-session.ts';

/** The meaning of a failed request. */
export interface Failure {
  error: ParleyError;
  /** The connection is of no use any more. */
  isLost: boolean;
  /** Unknown. */
  isOdd: boolean;
  /** The server itself answered that it cannot do it. */
  isAnswer: boolean;
}

/** Longest text of a server's refusal that is shown, characters. */
const longestText = 500;

/** Statuses for an unknown session or missing permission: the server did not process the request. */
const refusals = new Set([400, 401, 403, 404, 409, 410]);
/** The SDK's error for an unexpected response of an event-stream server. */
const refusedStatus = /^Error POSTing to endpoint \(HTTP (\d+)\)/;
const networkCode = /\bE(?:CONN|NOT|HOST|NET|AI|TIMED)[A-Z_]+\b/;
/** The connection failed, so the request was never sent. */
const unconnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

/**
 * Describes a failure.
 * @param ending how the process of the server ended; null while it runs and if there is none
 */
export function describeFailure(error: unknown, ending: string | null): Failure {
  if (error instanceof ConnectionLost) return lost(error.message, error.mayHaveBeenMade);
  if (ending !== null) return lost(ending, true);
  if (error instanceof ParleyError) return odd(error);
  if (error instanceof McpError) return protocolFailure(error);
  if (error instanceof StreamableHTTPError) {
    const status = error.code ?? 0;
    const text = short(error.message);
    return refusals.has(status) ? lost(text, false) : odd(failed(text));
  }
  if (error instanceof SseError) {
    // The client keeps the code of the network in the text only.
    const code = networkCode.exec(error.message)?.[0];
    return code === undefined ? lost(short(error.message), true) : unreachable(code);
  }
  const cause = causes(error);
  const refused = cause.find((one) => one instanceof ParleyError);
  if (refused instanceof ParleyError) return { ...odd(refused), isLost: true };
  const code = cause.map((one) => (one as NodeJS.ErrnoException).code).find((one) => typeof one === 'string');
  if (code !== undefined && code !== '') return unreachable(code);
  const message = error instanceof Error ? error.message : String(error);
  const status = refusedStatus.exec(message)?.[1];
  if (status !== undefined) {
    return refusals.has(Number(status)) ? lost(short(message), false) : odd(failed(short(message)));
  }
  return odd(failed(`the server gave an answer that cannot be read: ${short(message)}`));
}

function protocolFailure({ code, message }: McpError): Failure {
  if (code === ErrorCode.ConnectionClosed) return lost('the connection was lost during the call', true);
  if (code === ErrorCode.RequestTimeout) return odd(failed('the server did not answer in time'));
  return { error: failed(`the server refused: ${short(message)}`), isLost: false, isOdd: false, isAnswer: true };
}

function unreachable(code: string): Failure {
  const hint: Hint = { code: hintOfCode(code), parameters: {} };
  return lost(`the server cannot be reached (${code})`, !unconnected.has(code), hint);
}

function lost(message: string, mayHaveBeenMade: boolean, hint?: Hint): Failure {
  return { error: new ConnectionLost(message, { mayHaveBeenMade, hint }), isLost: true, isOdd: false, isAnswer: false };
}

function odd(error: ParleyError): Failure {
  return { error, isLost: false, isOdd: true, isAnswer: false };
}

function failed(message: string): ParleyError {
  return new ParleyError('tool_failed', message);
}

/** An error and its causes. */
function causes(error: unknown): Error[] {
  const found: Error[] = [];
  for (let current = error; current instanceof Error && found.length < 10; current = current.cause) found.push(current);
  return found;
}

function short(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}
