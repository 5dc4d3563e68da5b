import { errorReasons, ParleyError } from '@parley/sdk/errors';
import { Message, ResponseError, type ResponseMessage } from 'vscode-jsonrpc';
import { objectOf } from '../../lib/loose-values.ts';
import { ByteBudget } from './byte-budget.ts';
import type { Channel, ChannelAnswer, ChannelOptions, ChannelRequest, OpenRequest } from './channel.ts';
import { ChannelFault } from './channel-fault.ts';
import { codeCancelled, errorToSend, receivedError } from './crossing-errors.ts';
import { FrameOutput } from './frame-output.ts';
import { binaryFrame, type Frame, type FrameKind, frameKinds, readBinary } from './frames.ts';
import { type JsonRpc, openJsonRpc } from './json-rpc.ts';
import { OutgoingRequest } from './outgoing-request.ts';
import { PacedFrames } from './paced-frames.ts';
import { readJson } from './read-json.ts';
import { ReceivedRequest } from './received-request.ts';
import { StreamReader } from './stream-reader.ts';
import { StreamWriter } from './stream-writer.ts';
import type { WireRequest, WireResult } from './wire.ts';
import { isCount, isId, isStreamName, type StreamName, type WireNotification, type WireNotifications } from './wire.ts';
import { writeJson } from './write-json.ts';

/** Longest part of a stream of bytes that is sent in one frame. */
const partBytes = 64 << 10;
const longestName = 100;

/** Opens one side of the connection between the server and the process of a plugin. */
export function openChannel(options: ChannelOptions): Channel {
  return new FramedChannel(options);
}

class FramedChannel implements Channel {
  readonly #options: ChannelOptions;
  readonly #input: PacedFrames;
  readonly #output: FrameOutput;
  readonly #rpc: JsonRpc;
  readonly #outgoing = new Map<number, OutgoingRequest>();
  readonly #incoming = new Map<number, ReceivedRequest>();
  readonly #closed = Promise.withResolvers<Error | null>();
  /** What our streams are ahead of their readers. */
  readonly #budget: ByteBudget;
  /** What streams of the other side are ahead of our readers, bytes. */
  #unreadBytes = 0;
  /** Parameters of requests that are being answered, bytes. */
  #requestBytes = 0;
  /** The request that the library is about to send. */
  #opening: OutgoingRequest | null = null;
  /** Highest ids so far. */
  #latest = { outgoing: -1, incoming: -1 };
  #lateResponses = 0;
  #isClosed = false;

  constructor(options: ChannelOptions) {
    this.#options = options;
    const { input, output, limits } = options;
    const { frameBytes, bytesInFlight } = limits;
    // Half for streams, half for requests.
    this.#budget = new ByteBudget(bytesInFlight / 2);
    this.#output = new FrameOutput({
      output,
      frameBytes,
      bytesInFlight,
      relieved: () => this.#input.resume(),
      ended: () => this.#close(null),
    });
    this.#rpc = openJsonRpc({
      answer: (request) => this.#answer(request),
      write: (message) => this.#writeMessage(message),
    });
    this.#input = new PacedFrames({
      input,
      frameBytes,
      handle: (frame) => this.#accept(frame),
      isCongested: () => this.#output.isCongested,
      ended: (fault) => this.#close(fault),
    });
  }

  get closed(): Promise<Error | null> {
    return this.#closed.promise;
  }

  get lateResponses(): number {
    return this.#lateResponses;
  }

  close(): void {
    this.#close(null);
  }

  notify(name: string, parameters: unknown): void {
    // What nobody waits for is dropped rather than kept.
    if (!this.#output.isFull) this.#notify('$/notify', { name, parameters });
  }

  open(request: ChannelRequest): OpenRequest {
    const end = () => {
      if (this.#outgoing.has(outgoing.id)) this.#fail(outgoing, cancelled());
    };
    const outgoing: OutgoingRequest = new OutgoingRequest(request, {
      items: this.#reader(end, (grant) => this.#grant(outgoing, 'items', grant)),
      bytes: this.#reader(end, (grant) => this.#grant(outgoing, 'bytes', grant)),
      end,
    });
    if (request.signal.aborted) outgoing.fail(request.signal.reason);
    else if (this.#isClosed) outgoing.fail(crashed());
    else this.#send(outgoing);
    return outgoing;
  }

  #send(outgoing: OutgoingRequest): void {
    const { method, parameters, during, bytes } = outgoing.request;
    const isOpen = during instanceof ReceivedRequest && this.#incoming.get(during.id) === during;
    const params: WireRequest = {
      value: parameters ?? null,
      ...(isOpen ? { during: during.id } : {}),
      ...(bytes === undefined ? {} : { bytes: true }),
    };
    this.#opening = outgoing;
    const response = this.#rpc.connection.sendRequest<unknown>(method, params);
    this.#opening = null;
    outgoing.watch(
      () => this.#fail(outgoing, new ParleyError('plugin_timeout', errorReasons.plugin_timeout)),
      (reason) => this.#fail(outgoing, reason),
    );
    response.then(
      (value) => outgoing.resolve(value),
      // It could not be sent: failures of other kinds have reached the request before the library.
      ({ message }: Error) => {
        if (!this.#settle(outgoing, new ParleyError('invalid_request', message))) outgoing.reject(crashed());
      },
    );
  }

  /** Ends a request of ours before its time. */
  #fail(outgoing: OutgoingRequest, error: unknown): void {
    if (this.#settle(outgoing, error)) this.#notify('$/cancelRequest', { id: outgoing.id });
  }

  /** @returns false when it has ended before */
  #settle(outgoing: OutgoingRequest, error: unknown): boolean {
    const { id, hasResponse } = outgoing;
    if (!this.#outgoing.delete(id)) return false;
    outgoing.fail(error);
    this.#abortWithin(outgoing);
    // Else the library would keep the request until there is a response.
    if (!hasResponse) this.#rpc.receive({ jsonrpc: '2.0', id, error: { code: codeCancelled, message: '' } });
    return true;
  }

  #reader<Item>(left: () => void, grant: (grant: { items: number; bytes: number }) => void): StreamReader<Item> {
    const { credit, bytesInFlight } = this.#options.limits;
    return new StreamReader<Item>({
      credit,
      held: (bytes) => {
        this.#unreadBytes += bytes;
        if (bytes > 0 && this.#unreadBytes > bytesInFlight / 2) throw new ChannelFault('streams of too many bytes');
      },
      grant: (items, bytes) => grant({ items, bytes }),
      left,
    });
  }

  #grant(outgoing: OutgoingRequest, stream: StreamName, grant: { items: number; bytes: number }): void {
    if (this.#outgoing.has(outgoing.id)) this.#notify('$/credit', { id: outgoing.id, stream, ...grant });
  }

  #notify<Name extends WireNotification>(name: Name, parameters: WireNotifications[Name]): void {
    if (this.#isClosed) return;
    // One that cannot be sent is lost; all of ours can.
    this.#rpc.connection.sendNotification(name, parameters).catch(() => undefined);
  }

  /** Sends a message of the library. */
  async #writeMessage(message: Message): Promise<void> {
    const { limits } = this.#options;
    if (Message.isRequest(message)) {
      const outgoing = this.#opening;
      // Ids of the library are numbers.
      const id = Number(message.id);
      if (outgoing === null) return;
      outgoing.id = id;
      this.#latest.outgoing = id;
      this.#outgoing.set(id, outgoing);
      await this.#output.write(() => (this.#outgoing.has(id) ? writeJson(message, limits) : null));
      this.#sendBytes(outgoing);
    } else if (Message.isResponse(message)) {
      await this.#output.write(() => writeJson(message, limits));
      const incoming = this.#incoming.get(Number(message.id));
      if (incoming !== undefined) this.#answered(incoming, message);
    } else {
      await this.#output.write(() => writeJson(message, limits));
    }
  }

  #sendBytes(outgoing: OutgoingRequest): void {
    const { id, request } = outgoing;
    if (request.bytes === undefined || !this.#outgoing.has(id) || outgoing.isComplete) return;
    outgoing.writer = this.#writer(request.bytes, id, 'request', (bytes) => parts(frameKinds.requestBytes, id, bytes));
  }

  #writer<Item>(
    source: AsyncIterable<Item>,
    id: number,
    stream: StreamName,
    frames: (item: Item) => Iterable<Buffer>,
    ended: () => void = () => undefined,
  ): StreamWriter<Item> {
    const writer = new StreamWriter({
      source,
      credit: this.#options.limits.credit,
      budget: this.#budget,
      frames,
      write: (frame) => this.#output.write(() => frame),
      ended: (failure) => {
        const error = failure === null ? {} : { error: errorToSend(failure.error).toJson() };
        this.#notify('$/end', { id, stream, ...error });
        ended();
      },
    });
    void writer.run();
    return writer;
  }

  async #accept({ kind, content }: Frame): Promise<void> {
    if (kind !== frameKinds.json) return this.#acceptBytes(kind, content);
    const message = objectOf(readJson(content, this.#options.limits.depth));
    if (message.jsonrpc !== '2.0') throw new ChannelFault('a message that is not JSON-RPC');
    const { method } = message;
    if (method === undefined) this.#acceptResponse(message);
    else if (typeof method !== 'string' || method.length > longestName)
      throw new ChannelFault('a method without a name');
    else if (message.id === undefined) this.#acceptNotification(method, objectOf(message.params), content.length);
    else this.#acceptRequest(method, message, content.length);
    // The library handles it before this continues.
    await null;
  }

  #acceptBytes(kind: FrameKind, content: Buffer): void {
    const { id, bytes } = readBinary(content);
    if (kind === frameKinds.requestBytes) {
      const incoming = this.#incoming.get(id);
      if (incoming === undefined) this.#late(id, 'incoming');
      else if (!incoming.hasBytes) throw new ChannelFault('bytes without a stream');
      else incoming.bytes.push(bytes, content.length);
    } else {
      this.#announced(id, 'bytes')?.bytes.push(bytes, content.length);
    }
  }

  #acceptRequest(method: string, { id, params }: Record<string, unknown>, size: number): void {
    if (!isId(id) || id <= this.#latest.incoming) throw new ChannelFault('a request with an id of another');
    this.#latest.incoming = id;
    const { value, during, bytes } = objectOf(params);
    const { incomingRequests, bytesInFlight } = this.#options.limits;
    const isBusy = this.#incoming.size >= incomingRequests || this.#requestBytes + size > bytesInFlight / 2;
    const reader = this.#reader<Uint8Array>(
      () => this.#notify('$/stop', { id }),
      (grant) => {
        if (this.#incoming.has(id)) this.#notify('$/credit', { id, stream: 'request', ...grant });
      },
    );
    const hasBytes = bytes === true;
    if (!hasBytes) reader.end(null);
    const incoming = new ReceivedRequest({
      id,
      method,
      hasBytes,
      parameters: value,
      during: (isId(during) ? this.#outgoing.get(during)?.request : null) ?? null,
      bytes: reader,
      size,
      refusal: isBusy ? new ParleyError('plugin_busy', errorReasons.plugin_busy) : null,
      notify: (name, parameters) => {
        if (this.#incoming.has(id) && !this.#output.isFull) this.#notify('$/about', { id, name, parameters });
      },
    });
    if (!isBusy) {
      this.#incoming.set(id, incoming);
      this.#requestBytes += size;
    }
    this.#rpc.receive({ jsonrpc: '2.0', id, method, params: incoming });
  }

  /** Called by the library with what {@link #acceptRequest} gave it. */
  async #answer(params: unknown): Promise<WireResult> {
    // Nothing else is given to it.
    const incoming = params as ReceivedRequest;
    if (incoming.refusal !== null) throw errorToSend(incoming.refusal);
    try {
      incoming.answer = await this.#options.answer(incoming);
    } catch (error) {
      // The other side need not count it as late.
      if (incoming.signal.aborted) throw new ResponseError(codeCancelled, '');
      throw errorToSend(error);
    }
    const { result, items, bytes } = incoming.answer;
    const isWanted = !incoming.signal.aborted;
    return {
      value: result ?? null,
      ...(isWanted && items !== undefined ? { items: true } : {}),
      ...(isWanted && bytes !== undefined ? { bytes: true } : {}),
    };
  }

  /** The response is on its way: streams follow it. */
  #answered(incoming: ReceivedRequest, response: ResponseMessage): void {
    const { id, writers } = incoming;
    const { items, bytes }: Partial<ChannelAnswer> = incoming.answer ?? {};
    incoming.isAnswered = true;
    const isWanted = response.error === undefined && !incoming.signal.aborted;
    const ended = () => {
      if (writers.items?.isRunning !== true && writers.bytes?.isRunning !== true) this.#forget(incoming);
    };
    if (isWanted && items !== undefined) {
      const frames = (item: unknown) => [
        writeJson({ jsonrpc: '2.0', method: '$/item', params: { id, item } }, this.#options.limits),
      ];
      writers.items = this.#writer(items, id, 'items', frames, ended);
    } else if (items !== undefined) release(items);
    if (isWanted && bytes !== undefined) {
      const frames = (part: Uint8Array) => parts(frameKinds.responseBytes, id, part);
      writers.bytes = this.#writer(bytes, id, 'bytes', frames, ended);
    } else if (bytes !== undefined) release(bytes);
    ended();
  }

  /** The other side expects nothing more of us about this request. */
  #forget(incoming: ReceivedRequest): void {
    if (!this.#incoming.delete(incoming.id)) return;
    this.#requestBytes -= incoming.size;
    // An error with its stack costs as much as an answer.
    if (!incoming.bytes.hasEnded) incoming.bytes.fail(cancelled());
  }

  #acceptResponse({ id, result, error }: Record<string, unknown>): void {
    if (!isId(id) || (result === undefined) === (error === undefined)) throw new ChannelFault('a broken response');
    const failure = error === undefined ? undefined : objectOf(error);
    const outgoing = this.#outgoing.get(id);
    if (outgoing === undefined || outgoing.hasResponse) {
      // That of a request that was cancelled in time is no more than a confirmation.
      if (failure?.code !== codeCancelled) this.#late(id, 'outgoing');
    } else if (failure !== undefined) {
      this.#settle(outgoing, receivedError(failure));
    } else {
      const { value, items, bytes } = objectOf(result);
      outgoing.respond({ items: items === true, bytes: bytes === true });
      this.#rpc.receive({ jsonrpc: '2.0', id, result: value ?? null });
      this.#complete(outgoing);
    }
  }

  #acceptNotification(method: string, parameters: Record<string, unknown>, size: number): void {
    const { id, stream } = parameters;
    if (method === '$/notify') {
      this.#tell(this.#options.notified, parameters);
      return;
    }
    if (!isId(id)) throw new ChannelFault('a notification about nothing');
    const outgoing = this.#outgoing.get(id);
    const incoming = this.#incoming.get(id);
    switch (method) {
      case '$/about':
        this.#tell(outgoing?.request.notified, parameters);
        break;
      case '$/cancelRequest':
        if (incoming !== undefined) this.#abort(incoming);
        break;
      case '$/stop':
        outgoing?.writer?.stop();
        break;
      case '$/item':
        this.#announced(id, 'items')?.items.push(parameters.item, size);
        break;
      case '$/credit': {
        const { items, bytes } = parameters;
        if (!isStreamName(stream) || !isCount(items) || !isCount(bytes)) throw new ChannelFault('credit for nothing');
        (stream === 'request' ? outgoing?.writer : incoming?.writers[stream])?.grant(items, bytes);
        break;
      }
      case '$/end': {
        if (!isStreamName(stream)) throw new ChannelFault('the end of no stream');
        const error = parameters.error === undefined ? null : receivedError(parameters.error);
        if (stream === 'request') incoming?.bytes.end(error);
        else if (outgoing !== undefined) {
          this.#announced(id, stream)?.[stream].end(error);
          this.#complete(outgoing);
        }
        break;
      }
      default:
        throw new ChannelFault('an unknown notification');
    }
  }

  #tell(notified: ChannelOptions['notified'] | undefined, { name, parameters }: Record<string, unknown>): void {
    if (typeof name !== 'string' || name.length > longestName) throw new ChannelFault('a notification without a name');
    try {
      notified?.(name, parameters);
    } catch {
      // Whoever is notified cannot break the connection.
    }
  }

  /** @returns null when the request has ended. @throws ChannelFault when it has no such stream */
  #announced(id: number, stream: 'items' | 'bytes'): OutgoingRequest | null {
    const outgoing = this.#outgoing.get(id);
    if (outgoing === undefined) this.#late(id, 'outgoing');
    else if (!outgoing.announced[stream]) throw new ChannelFault('a stream that was not announced');
    return outgoing ?? null;
  }

  /** Counts what comes for a request that has ended. @throws ChannelFault when there never was such a request */
  #late(id: number, direction: 'outgoing' | 'incoming'): void {
    if (id > this.#latest[direction]) throw new ChannelFault('an answer to no request');
    this.#lateResponses += 1;
  }

  #complete(outgoing: OutgoingRequest): void {
    if (!outgoing.isComplete) return;
    this.#outgoing.delete(outgoing.id);
    outgoing.release();
    this.#abortWithin(outgoing);
  }

  /** Ends what the other side requested during a request of ours that has ended. */
  #abortWithin({ request }: OutgoingRequest): void {
    for (const incoming of this.#incoming.values()) if (incoming.during === request) this.#abort(incoming);
  }

  #abort(incoming: ReceivedRequest): void {
    incoming.abort(cancelled());
    // Else it goes on until the handler has ended.
    if (incoming.isAnswered) this.#forget(incoming);
  }

  #close(fault: Error | null): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.close();
    this.#output.close(fault !== null);
    for (const outgoing of this.#outgoing.values()) outgoing.fail(crashed());
    for (const incoming of this.#incoming.values()) incoming.abort(crashed());
    this.#outgoing.clear();
    this.#incoming.clear();
    this.#rpc.connection.dispose();
    this.#closed.resolve(fault);
  }
}

const crashed = () => new ParleyError('plugin_crashed', errorReasons.plugin_crashed);
const cancelled = () => new ParleyError('cancelled', errorReasons.cancelled);

function* parts(kind: FrameKind, id: number, bytes: Uint8Array): Iterable<Buffer> {
  for (let start = 0; start < bytes.length; start += partBytes) {
    yield binaryFrame(kind, id, bytes.subarray(start, start + partBytes));
  }
}

/** Ends a source that is not read. */
function release(source: AsyncIterable<unknown>): void {
  void (async () => source[Symbol.asyncIterator]().return?.())().catch(() => undefined);
}
