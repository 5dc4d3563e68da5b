import {
  type MessageChain,
  type MessageStream,
  type OutgoingMessage,
  ParleyError,
  type SentMessage,
} from '@parley/sdk';
import type { InternalPlatform, InternalPlatformAdapter } from '@parley/sdk/internal';
import { ModelApiConfig } from './config.ts';

/** A client that waits for an answer. */
interface Caller {
  /** Aborted with a ParleyError when the client has disconnected. */
  signal: AbortSignal;
  /** @param chain the complete streamed answer so far */
  show(chain: MessageChain): void;
  /** @param chain a complete part of the answer */
  take(chain: MessageChain): void;
}

/** Currently waiting clients. */
export interface Callers {
  /** @param platformMessageId of the question; null when no client waits for its answer */
  find(platformMessageId: string): Caller | null;
  /** Ends all waiting requests. */
  stop(): void;
}

/** Creates the platform for HTTP clients that wait for the answer, which is sent only to the caller. */
export function createModelApi(callers: Callers): InternalPlatform {
  return {
    name: 'model-api',
    label: { en_US: 'Model API', zh_Hans: '模型 API', ja_JP: 'モデルAPI' },
    description: {
      en_US: 'OpenAI-compatible clients use pipelines as models',
      zh_Hans: '供兼容 OpenAI 协议的程序将流水线作为模型调用',
      ja_JP: 'OpenAIのプロトコルに対応したプログラムが、パイプラインをモデルとして利用',
    },
    categories: ['protocol'],
    internal: true,
    commands: false,
    capabilities: {
      proactive: 'none',
      streams: { person: { mode: 'replace', interval_ms: 40 } },
      text_limit: null,
      idempotent_sends: false,
      // Programs read text. Files that are part of an answer come as links, but no text becomes a picture.
      elements: ['Plain'],
      webhook: false,
    },
    config: ModelApiConfig,
    load: async () => ({ create: () => new ModelApiAdapter(callers) }),
  };
}

class ModelApiAdapter implements InternalPlatformAdapter {
  readonly #callers: Callers;
  #started = false;

  constructor(callers: Callers) {
    this.#callers = callers;
  }

  async start(): Promise<void> {
    this.#started = true;
  }

  async stop(): Promise<void> {
    if (!this.#started) return;
    this.#started = false;
    this.#callers.stop();
  }

  attention(platformMessageId: string): AbortSignal {
    return this.#callers.find(platformMessageId)?.signal ?? AbortSignal.abort(clientClosed());
  }

  async send(message: OutgoingMessage): Promise<SentMessage> {
    this.#callerOf(message).take(message.message_chain);
    return {};
  }

  async stream(message: Omit<OutgoingMessage, 'message_chain'>): Promise<MessageStream> {
    return {
      update: async (chain) => this.#callerOf(message).show(chain),
      finish: async (chain) => {
        this.#callerOf(message).take(chain);
        return {};
      },
    };
  }

  #callerOf({ reply_to }: Pick<OutgoingMessage, 'reply_to'>): Caller {
    if (!this.#started) throw new ParleyError('bot_not_running', 'The model API is not running');
    const caller = reply_to === null ? null : this.#callers.find(reply_to.platform_message_id);
    if (caller === null || caller.signal.aborted) throw clientClosed();
    return caller;
  }
}

function clientClosed(): ParleyError {
  return new ParleyError('client_closed_request', 'The client has disconnected');
}
