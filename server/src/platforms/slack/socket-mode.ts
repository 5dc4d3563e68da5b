import {
  type ConnectionReport,
  DeliveryError,
  ParleyError,
  type PlatformContext,
  type SocketConnection,
} from '@parley/sdk';
import { SupervisedSocket } from '../../kit/sockets/supervised-socket.ts';
import type { Inbox } from './inbox.ts';
import { fieldsOf, textOf } from './parse-event.ts';
import { type Fields, type SlackApi, validToken } from './slack-api.ts';
import type { Timing } from './timing.ts';

export interface SocketModeOptions {
  api: SlackApi;
  /** App-level token. */
  token: string;
  inbox: Inbox;
  context: Pick<PlatformContext, 'openSocket' | 'logger' | 'bot_uuid'>;
  report(report: ConnectionReport): void;
  timing: Pick<Timing, 'connectPauseMs' | 'heartbeatMs'>;
}

/**
 * Receives events over a websocket, whose address Slack gives for one use.
 * @throws ParleyError `platform_unauthorized` for a token that cannot be one
 * @see https://docs.slack.dev/apis/events-api/using-socket-mode
 */
export function socketMode(options: SocketModeOptions): SupervisedSocket {
  const { api, context, report, timing } = options;
  const token = validToken(options.token);
  const socket: SupervisedSocket = new SupervisedSocket({
    host: api.host,
    connect: async (signal) => {
      const address = await addressFrom(api, token);
      return context.openSocket(address, { signal });
    },
    begin: (connection) => begun(connection, options, () => socket.reconnect()),
    report,
    heartbeat: { intervalMs: timing.heartbeatMs, beat: (connection) => connection.ping() },
    timing: { firstPause: timing.connectPauseMs },
  });
  return socket;
}

async function addressFrom(api: SlackApi, token: string): Promise<string> {
  try {
    const { body } = await api.call('apps.connections.open', {}, { token, isRepeatable: true });
    return textOf(body.url);
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error;
    throw new ParleyError(error.reason, `Socket mode: ${error.message}`);
  }
}

/** Resolves with the frame `hello`. */
function begun(connection: SocketConnection, options: SocketModeOptions, reconnect: () => void): Promise<void> {
  const ready = Promise.withResolvers<void>();
  connection.onMessage((data) => {
    const frame = frameOf(data);
    if (frame.type === 'hello') ready.resolve();
    else if (frame.type === 'disconnect') reconnect();
    else void take(connection, frame, options);
  });
  return ready.promise;
}

/** Acknowledges a frame when it is stored. One that is not comes again. */
async function take(connection: SocketConnection, frame: Fields, { inbox, context }: SocketModeOptions): Promise<void> {
  const envelope_id = textOf(frame.envelope_id);
  if (envelope_id === '') return;
  try {
    if (frame.type === 'events_api') await inbox.take(fieldsOf(fieldsOf(frame.payload).event));
    await connection.send(JSON.stringify({ envelope_id }));
  } catch (error) {
    context.logger.warn({ bot: context.bot_uuid, error }, 'an event of Slack was not stored or acknowledged');
  }
}

function frameOf(data: string | Uint8Array): Fields {
  try {
    return fieldsOf(JSON.parse(typeof data === 'string' ? data : Buffer.from(data).toString()));
  } catch {
    return {};
  }
}
