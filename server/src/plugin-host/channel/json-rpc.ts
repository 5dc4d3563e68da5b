import {
  createMessageConnection,
  type Message,
  type MessageConnection,
  RAL,
  type RequestMessage,
  type ResponseMessage,
} from 'vscode-jsonrpc';

/*
 * The library for JSON-RPC without its own streams: it numbers requests, finds the request of a response, calls the
 * handler of a request and responds with what it returns.
 */

// The library handles a message per turn of the event loop. In a microtask it is handled before the next one is read,
// so what handling takes is part of the time of reading. Nothing else of its abstraction layer is used: that is for the
// streams of the library, which need modules that a plugin's process should not load.
const runtime = {
  console,
  timer: {
    setImmediate: (callback: () => void) => {
      queueMicrotask(callback);
      return { dispose: () => undefined };
    },
  },
};
// The type asks for the parts that are not used as well.
RAL.install(runtime as unknown as RAL);

export interface JsonRpcOptions {
  /** Answers a request; what it gets is what was given as `params` to {@link JsonRpc.receive}. */
  answer(params: unknown): Promise<unknown>;
  /** Sends a message. Called before `sendRequest` returns. */
  write(message: Message): Promise<void>;
}

export interface JsonRpc {
  connection: MessageConnection;
  /** Handles a checked request or response in the next microtask. */
  receive(message: RequestMessage | ResponseMessage): void;
}

const noEvent = () => ({ dispose: () => undefined });

export function openJsonRpc({ answer, write }: JsonRpcOptions): JsonRpc {
  let receive: (message: Message) => void = () => undefined;
  const connection = createMessageConnection(
    {
      onError: noEvent,
      onClose: noEvent,
      onPartialMessage: noEvent,
      listen: (callback) => {
        receive = callback;
        return { dispose: () => undefined };
      },
      dispose: () => undefined,
    },
    { onError: noEvent, onClose: noEvent, write, end: () => undefined, dispose: () => undefined },
  );
  connection.onRequest((_method, params) => answer(params));
  connection.listen();
  return { connection, receive: (message) => receive(message) };
}
