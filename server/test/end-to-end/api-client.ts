import { WebSocket } from 'ws';
import { testSetupToken } from '../factories/test-setup-token.ts';

/** An answer of the API. */
export interface ApiAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies and compare what they find
  body: any;
}

/** Calls the API of one service with one credential. */
export interface ApiClient {
  address: string;
  token: string;
  call(method: string, path: string, json?: unknown): Promise<ApiAnswer>;
  /** Calls and expects success. @returns `data` */
  // biome-ignore lint/suspicious/noExplicitAny: see above
  data(method: string, path: string, json?: unknown): Promise<any>;
  upload(name: string, content: string | Uint8Array<ArrayBuffer>): Promise<ApiAnswer>;
}

export function apiClient(address: string, token: string): ApiClient {
  const send = async (method: string, path: string, init: RequestInit): Promise<ApiAnswer> => {
    const response = await fetch(`${address}/api/v1${path}`, { method, ...init });
    return { status: response.status, body: await response.json() };
  };
  const authorization = `Bearer ${token}`;
  const call: ApiClient['call'] = (method, path, json) =>
    send(method, path, {
      headers: { authorization, ...(json === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
  return {
    address,
    token,
    call,
    data: async (method, path, json) => {
      const { status, body } = await call(method, path, json);
      if (status !== 200) throw new Error(`${method} ${path} was answered ${status} ${JSON.stringify(body)}`);
      return body.data;
    },
    upload: (name, content) => {
      const form = new FormData();
      form.append('file', new Blob([content]), name);
      return send('POST', '/files/documents', { headers: { authorization }, body: form });
    },
  };
}

const credentials = { user: 'admin@example.com', password: 'correct horse battery staple' };

/** Creates the first account if there is none, and signs in. */
export async function signedIn(address: string, setup_token = testSetupToken): Promise<ApiClient> {
  const anonymous = apiClient(address, '');
  await anonymous.call('POST', '/user/init', { ...credentials, setup_token });
  const { token } = await anonymous.data('POST', '/user/auth', credentials);
  return apiClient(address, token);
}

/** The default pipeline and the web chat bot bound to it. */
export async function defaults(api: ApiClient): Promise<{ pipeline: string; bot: string }> {
  const { bots } = await api.data('GET', '/platform/bots');
  return { pipeline: bots[0].use_pipeline_uuid, bot: bots[0].uuid };
}

/** Creates an API key. @returns the key in plain text */
export async function apiKey(api: ApiClient, scopes?: string[]): Promise<string> {
  const { key } = await api.data('POST', '/apikeys', { name: 'program', ...(scopes && { scopes }) });
  return key.key;
}

/** A frame of the web chat. */
// biome-ignore lint/suspicious/noExplicitAny: frames differ by their type
export type Frame = Record<string, any>;

export interface ChatOptions {
  pipeline: string;
  sessionType?: string;
  /** Name of the conversation. */
  conversation?: string;
  /** Parameters of a trial: `version`, `model`. */
  trial?: Record<string, string>;
  headers?: Record<string, string>;
  protocols?: string[];
}

/** An open web chat. */
export interface Chat {
  /** Every frame so far. */
  frames: Frame[];
  say(text: string, more?: Frame): void;
  send(frame: unknown): void;
  /** The first frame, past or to come, that passes. */
  frame(passes: (frame: Frame) => boolean): Promise<Frame>;
  /** The finished answer that contains a text. */
  answer(holds?: string): Promise<Frame>;
  close(): Promise<void>;
  /** Reads nothing any more, the end of the connection included. */
  deafen(): void;
  /** Resolves with the close code when the connection ends. */
  closed: Promise<number>;
  protocol: string;
}

/**
 * Opens a web chat.
 * @throws Error with the status when the upgrade was refused
 */
export async function openChat(address: string, options: ChatOptions): Promise<Chat> {
  const { pipeline, sessionType = 'person', conversation, trial = {}, headers = {}, protocols = [] } = options;
  const query = new URLSearchParams({ session_type: sessionType, ...trial, ...(conversation && { conversation }) });
  const url = `${address.replace('http', 'ws')}/api/v1/pipelines/${pipeline}/ws/connect?${query}`;
  const socket = new WebSocket(url, protocols, { headers });
  const frames: Frame[] = [];
  const readers = new Set<() => void>();
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)));
    for (const read of readers) read();
  });
  const closed = new Promise<number>((resolve) => socket.on('close', (code) => resolve(code)));
  await new Promise<void>((resolve, reject) => {
    socket.on('open', resolve);
    socket.on('error', reject);
    socket.on('unexpected-response', (_, response) => reject(new Error(`refused with ${response.statusCode}`)));
  });
  const frame: Chat['frame'] = (passes) =>
    new Promise((resolve, reject) => {
      const read = () => {
        const found = frames.find(passes);
        if (found === undefined) return;
        readers.delete(read);
        resolve(found);
      };
      readers.add(read);
      read();
      void closed.then((code) => reject(new Error(`closed with ${code} after ${JSON.stringify(frames)}`)));
    });
  const send = (value: unknown) => socket.send(typeof value === 'string' ? value : JSON.stringify(value));
  return {
    frames,
    send,
    say: (text, more = {}) => send({ type: 'message', message: [{ type: 'Plain', text }], ...more }),
    frame,
    answer: (holds = '') =>
      frame(({ type, data }) => type === 'response' && data.is_final && data.content.includes(holds)),
    close: async () => {
      socket.close();
      await closed;
    },
    deafen: () => socket.pause(),
    closed,
    protocol: socket.protocol,
  };
}

/** Says a text to a pipeline in a chat of its own. @returns the finished answer */
export async function answerOf(api: ApiClient, pipeline: string, question: string): Promise<string> {
  const headers = { authorization: `Bearer ${api.token}` };
  const chat = await openChat(api.address, { pipeline, headers });
  chat.say(question);
  const { data } = await chat.answer();
  await chat.close();
  return data.content;
}
