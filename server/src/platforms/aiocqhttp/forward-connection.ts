import {
  type ConnectionReport,
  DeliveryError,
  type OpenSocketOptions,
  ParleyError,
  type PlatformAccount,
  type SocketConnection,
  SocketRefusedError,
} from '@parley/sdk';
import { settingFault } from '../../kit/setting-fault.ts';
import { SupervisedSocket } from '../../kit/sockets/supervised-socket.ts';
import { tokenOf } from './access.ts';
import { Actions } from './actions.ts';
import type { OneBotSettings } from './config.ts';
import { fieldsOf, idOf, numberOf, textOf } from './fields.ts';
import { readFrame } from './frames.ts';

type OpenSocket = (address: string, options: OpenSocketOptions) => Promise<SocketConnection>;

export interface ForwardOptions {
  openSocket: OpenSocket;
  /** Takes a connection whose account is known. `early` came in the meantime. */
  take(account: string, socket: SocketConnection, early: readonly (string | Uint8Array)[]): void;
  report(report: ConnectionReport): void;
  timing: { connectPauseMs: number; actionMs: number };
}

/** A connection from here to the websocket server of a client, which is kept up. */
export function forwardConnection(settings: OneBotSettings, options: ForwardOptions): SupervisedSocket {
  const { openSocket, take, report, timing } = options;
  const address = addressOf(settings);
  const token = tokenOf(settings);
  return new SupervisedSocket({
    host: address.host,
    connect: (signal) => connect(address, token, openSocket, signal),
    begin: async (socket, signal) => {
      const early: (string | Uint8Array)[] = [];
      let isTaken = false;
      socket.onMessage((data) => {
        if (!isTaken) early.push(data);
      });
      const { id } = await identify(socket, { signal, timeoutMs: timing.actionMs });
      isTaken = true;
      take(id, socket, early);
    },
    report,
    timing: { firstPause: timing.connectPauseMs },
  });
}

/**
 * Connects to a client and asks for its account.
 * @throws ParleyError `platform_unauthorized`, `invalid_request`, or `platform_failed`
 */
export async function testForward(
  settings: OneBotSettings,
  { openSocket, signal, timeoutMs }: { openSocket: OpenSocket; signal: AbortSignal; timeoutMs: number },
): Promise<PlatformAccount> {
  const socket = await connect(addressOf(settings), tokenOf(settings), openSocket, signal);
  try {
    return await identify(socket, { signal, timeoutMs });
  } finally {
    socket.close(1000);
  }
}

/** @throws ParleyError `invalid_request` */
function addressOf({ url }: OneBotSettings): URL {
  const address = URL.parse(url.trim());
  if (address !== null && /^wss?:$/.test(address.protocol)) return address;
  throw settingFault('url', 'url must be the address of the QQ client and start with ws:// or wss://', 'socketAddress');
}

async function connect(
  address: URL,
  token: string,
  openSocket: OpenSocket,
  signal: AbortSignal,
): Promise<SocketConnection> {
  const headers: Record<string, string> = token === '' ? {} : { authorization: `Bearer ${token}` };
  try {
    return await openSocket(address.href, { headers, signal });
  } catch (error) {
    const isRefused = error instanceof SocketRefusedError && (error.status === 401 || error.status === 403);
    throw isRefused ? wrongToken() : error;
  }
}

/** Some clients open the socket all the same, and say that the token is wrong in a response without an action. */
async function identify(
  socket: SocketConnection,
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
): Promise<PlatformAccount> {
  const actions = new Actions(socket);
  const refused = Promise.withResolvers<never>();
  refused.promise.catch(() => undefined);
  socket.onMessage((data) => {
    const frame = readFrame(data);
    if (frame.type !== 'response') return;
    const retcode = numberOf(frame.fields.retcode);
    if (retcode === 1401 || retcode === 1403) refused.reject(wrongToken());
    else actions.settle(frame.fields);
  });
  try {
    const info = actions.call('get_login_info', {}, { timeoutMs, signal, isRepeatable: true });
    info.catch(() => undefined);
    const { user_id, nickname } = fieldsOf(await Promise.race([info, refused.promise]));
    const id = idOf(user_id);
    if (id === null) throw new ParleyError('platform_failed', 'The QQ client is not logged in');
    return { id, name: textOf(nickname) || null };
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error;
    throw new ParleyError(error.reason, error.message);
  }
}

function wrongToken(): ParleyError {
  return new ParleyError('platform_unauthorized', 'The QQ client refuses the access token');
}
