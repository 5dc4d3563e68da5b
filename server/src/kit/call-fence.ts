import type { ClientRequest } from 'node:http';
import { DeliveryError, type SocketConnection } from '@parley/sdk';
import type { Dispatcher } from 'undici';

/** Whether this process may call platforms: it may not while others may have taken its work over. */
export interface CallFence {
  /** Whether a call may begin. */
  readonly mayWork: boolean;
  /** For calls in flight: aborted once they have to end; another one after that. */
  readonly working: AbortSignal;
}

/** @throws DeliveryError `not_sent` when no call may begin */
function requireOpen({ mayWork }: CallFence): void {
  if (!mayWork) throw new DeliveryError('not_sent', 'not_ready', 'This process may not send until it has the database');
}

/** Why a call in flight has ended: whether it arrived is unknown. */
function cutOff(): Error {
  return new Error('The call was cut off, since this process may have lost the database');
}

/**
 * Checks each request of a client once its connection is ready, right before it is sent: waiting for a connection may take
 * longer than the fence stays open. Requests in flight end when it closes.
 */
export function fenceRequests(fence: CallFence): Dispatcher.DispatcherComposeInterceptor {
  const inFlight = new Set<Dispatcher.DispatchController>();
  const end = () => {
    for (const controller of inFlight) controller.abort(cutOff());
    inFlight.clear();
  };
  let followed: AbortSignal | null = null;
  const follow = (signal: AbortSignal) => {
    if (followed === signal) return;
    followed?.removeEventListener('abort', end);
    followed = signal;
    signal.addEventListener('abort', end, { once: true });
  };
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart: (controller, context) => {
        try {
          requireOpen(fence);
        } catch (error) {
          controller.abort(error as DeliveryError);
          return;
        }
        follow(fence.working);
        inFlight.add(controller);
        handler.onRequestStart?.(controller, context);
      },
      onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
      onResponseStarted: () => handler.onResponseStarted?.(),
      onResponseStart: (...given) => handler.onResponseStart?.(...given),
      onResponseData: (...given) => handler.onResponseData?.(...given),
      onResponseEnd: (controller, trailers) => {
        inFlight.delete(controller);
        handler.onResponseEnd?.(controller, trailers);
      },
      onResponseError: (controller, error) => {
        inFlight.delete(controller);
        handler.onResponseError?.(controller, error);
      },
      onBodySent: (chunk) => handler.onBodySent?.(chunk),
    });
}

/**
 * Finishes the handshake of an outbound websocket once its connection is ready, unless the fence is closed by then.
 * @param request not ended, so that nothing of it has been sent
 */
export function fenceHandshake(request: ClientRequest, fence: CallFence): void {
  request.once('socket', (socket) => {
    const go = () => {
      try {
        requireOpen(fence);
        request.end();
      } catch (error) {
        request.destroy(error as DeliveryError);
      }
    };
    if (request.protocol === 'https:') socket.once('secureConnect', go);
    else if (socket.connecting) socket.once('connect', go);
    else go();
  });
}

/** How long its owner may take to end a websocket when the fence closes, milliseconds. */
const endingMs = 10_000;

/**
 * A websocket that is checked before each message. When the fence closes, it ends at once if a message has not left. Else
 * its owner ends it: a platform that sends everything once may have sent something that has not been read.
 */
export function fencedSocket(socket: SocketConnection, fence: CallFence): SocketConnection {
  const { working } = fence;
  const end = () => socket.terminate();
  let sending = 0;
  let timer: NodeJS.Timeout | undefined;
  const fenced = () => {
    if (sending > 0) end();
    else timer = setTimeout(end, endingMs).unref();
  };
  if (working.aborted) end();
  working.addEventListener('abort', fenced, { once: true });
  void socket.closed.then(() => {
    clearTimeout(timer);
    working.removeEventListener('abort', fenced);
  });
  return {
    send: async (data) => {
      requireOpen(fence);
      sending += 1;
      try {
        await socket.send(data);
      } finally {
        sending -= 1;
      }
    },
    ping: () => {
      if (fence.mayWork) socket.ping();
    },
    // No message, and answered by no program: what was sent before is to be read, also when the fence is closed.
    roundTrip: () => socket.roundTrip(),
    close: (code, reason) => socket.close(code, reason),
    terminate: end,
    onMessage: (listener) => socket.onMessage(listener),
    onActivity: (listener) => socket.onActivity(listener),
    closed: socket.closed,
  };
}
