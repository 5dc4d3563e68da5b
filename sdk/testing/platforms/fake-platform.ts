import type {
  DeliveryTarget,
  PlatformAdapter,
  PlatformContext,
  PlatformImplementation,
  WebhookRequest,
} from '../../src/platform.ts';

/** A chat, by the ids that the adapter gives it. */
export type FakeChat = Pick<DeliveryTarget, 'session_type' | 'session_id' | 'thread_id'>;

/** Kinds of files that users send. */
export type FakeMediaKind = 'image' | 'voice' | 'file';

/** A file that a user sends. */
export interface FakeMedia {
  kind: FakeMediaKind;
  name: string;
  content: Uint8Array;
  /**
   * What is wrong with it. `gone`: the platform has it no more. `forbidden`: the platform gives a page in its place, as
   * for a missing permission. `private_address`: its address leads into a private network. `wrong_type`: the platform
   * states another type and size than it has.
   */
  fault?: 'gone' | 'forbidden' | 'private_address' | 'wrong_type';
}

/** A message of a user, or what looks like one. Everything is optional; the default is a text to the bot alone. */
export interface FakeMessage {
  /** Default: {@link FakePlatform.person}. */
  chat?: FakeChat;
  text?: string;
  media?: readonly FakeMedia[];
  /** The message that it quotes: an id of {@link Delivered} or of {@link ShownMessage}, or one that is gone. */
  quotes?: string | 'gone';
  /**
   * How the bot is meant, in front of the text. `name`: its name as a plain text, which is no mention. `other`: another
   * user.
   */
  mention?: 'account' | 'name' | 'role' | 'everyone' | 'other';
  /** Default: `user`. */
  sender?: 'user' | 'the_bot' | 'another_bot';
  sender_name?: string;
  /** `unknown`: a kind that the platform added later. `empty`: no content. `malformed`: fields of wrong types. */
  kind?: 'unknown' | 'empty' | 'malformed';
  /** Nested as deep, for platforms whose messages hold others. */
  depth?: number;
  /** When it was written. Default: {@link FakePlatform.now}. */
  sent_at?: Date;
}

/** What is wrong with a request or an event. */
export type Forgery =
  | 'wrong_signature'
  /** Each header or parameter that the signature needs, one after the other. */
  | 'missing_signature'
  | 'short_signature'
  | 'of_another_bot'
  | 'too_old'
  | 'from_the_future'
  | 'replayed'
  | 'malformed'
  | 'oversize'
  | 'deep'
  | 'compressed_bomb';

/** How the adapter responded to an event. */
export interface Delivered {
  /** The platform's id of the message, which is in the adapter's `platform_message_id`. */
  id: string;
  /**
   * `acknowledged`: the platform does not deliver it again. `refused`: it will. `none`: no response within the
   * platform's time, or the platform knows no acknowledgement.
   */
  outcome: 'acknowledged' | 'refused' | 'none';
  /** From the event to the acknowledgement, milliseconds. */
  milliseconds: number;
}

/** A message that users see. It comes from what the fake stored, never from what the adapter claims. */
export interface ShownMessage {
  id: string;
  chat: FakeChat;
  /** Its text as users see it now, without markup. */
  text: string;
  /** Each text that it has had, with when it was shown (milliseconds of the fake's clock), oldest first. */
  history: readonly { text: string; at: number }[];
  /** Files in it. */
  media: readonly { kind: FakeMediaKind; name: string; content: Uint8Array }[];
  /** The message that it quotes or replies to; null if none. */
  quotes: string | null;
  /** Ids of the users it notifies; `everyone` for all. */
  notifies: readonly string[];
  /** Still looks as if more of it were to come. */
  isUnfinished: boolean;
}

/** Calls of the adapter that can be made to fail. */
export type FakeRoute =
  /** Every call. */
  | 'any'
  /** Whatever `start` calls first with the credentials. */
  | 'start'
  | 'token'
  | 'send'
  | 'edit'
  | 'upload'
  /** Content of a file that a user sent. */
  | 'media';

/** How a call fails. Each is given in the platform's own form. */
export type FakeFault =
  /** The platform refuses it as wrong in itself. */
  | 'refused'
  /** No chat or user with such an id, or the bot may not write to it. */
  | 'unknown_target'
  /** The platform names a permission that the bot lacks. */
  | 'missing_permission'
  /** A failure of the platform, status 500 or its own code. */
  | 'server_error'
  /** It is carried out, and no response ever comes. */
  | 'silence'
  /** It is carried out, and the connection breaks before the response. */
  | 'cut'
  /** The connection cannot be made. */
  | 'unreachable'
  /** A page of a proxy instead of the response. */
  | 'wrong_body';

/** How a platform names the end of a rate limit. */
export type FakePause = { seconds: number } | { date: Date } | 'unnamed';

/** The address of the bot's webhook and inbound websockets, as the service serves it. */
export interface FakeBotAddress {
  /** Without a slash at its end. */
  url: string;
}

/**
 * The driver of a fake platform, the same for all. A fake is a server of its own on 127.0.0.1, which the adapter reaches
 * through the address fields of its configuration. It speaks the documented protocol, refuses what the vendor refuses
 * with the vendor's errors, keeps what users would see, and shares no code with the adapter. A method that a platform
 * has no counterpart for throws {@link NotOfThisPlatform}: the case is declared impossible then.
 */
export interface FakePlatform {
  /** Configuration of a bot: credentials, and the addresses of the fake. Each call gives the same. */
  config(): Record<string, unknown>;
  /** Configuration of another account on the same fake. */
  otherConfig(): Record<string, unknown>;
  /** The bot's id on the platform, as the adapter tells it. */
  readonly accountId: string;
  /** Tells the fake where the bot's webhook is, as an operator enters it. Called before the adapter starts. */
  enterAddress(address: FakeBotAddress): void;

  /** Chats that exist. `thread` is null where the platform has none. */
  person(): FakeChat;
  group(): FakeChat;
  thread(): FakeChat | null;
  /** The id of the user who writes, as the adapter names it. */
  readonly userId: string;
  /** An id of a chat that does not exist. */
  unknownChat(): FakeChat;

  /** A user writes. Resolves with the adapter's response, or when the platform's time for one is over. */
  deliver(message: FakeMessage): Promise<Delivered>;
  /**
   * The platform delivers a message again. `asOtherKind`: as another kind of event that stands for the same message.
   * `withoutMarks`: without what marks a retry. `overOther`: over another connection.
   */
  redeliver(
    id: string,
    how?: { asOtherKind?: boolean; withoutMarks?: boolean; overOther?: boolean },
  ): Promise<Delivered>;
  /** A user edits or recalls a message. */
  edit(id: string, text: string): Promise<Delivered>;
  recall(id: string): Promise<Delivered>;
  /** The bot is added to a group, or a user opens the chat with it. */
  addBot(): Promise<Delivered>;
  /** How the adapter responds to an event that the platform did not send, or not so. One outcome for each variant. */
  forge(how: Forgery): Promise<Delivered['outcome'][]>;
  /** The platform verifies the address of the webhook. @returns whether it accepts the response */
  verifyAddress(how?: 'right' | 'wrong'): Promise<boolean>;
  /** Any bytes in the place of an event: the body of a request that is signed rightly, or a frame. */
  raw(bytes: Uint8Array): Promise<Delivered['outcome']>;
  /** A right event whose body is changed on its way, after it was signed. Absent where nothing is signed. */
  tamper?(change: (body: Uint8Array) => Uint8Array): Promise<Delivered['outcome']>;
  /** A right event as it travels, for mutation: of each kind that the platform has. */
  samples(): readonly Uint8Array[];

  /** What users see, oldest first: messages of the bot in all chats. */
  sent(): readonly ShownMessage[];
  /** How many calls of a kind arrived, failed ones included. */
  calls(route: FakeRoute): number;
  /** What the platform handed out and is as secret as a password, such as access tokens. */
  secrets?(): readonly string[];
  /** Calls and frames that the vendor documents as an error: unknown routes, missing headers, wrong order. */
  violations(): readonly string[];

  /** The next calls fail. @param times default 1 */
  fail(route: FakeRoute, how: FakeFault, times?: number): void;
  /** Refuses sends with the platform's rate limit, after so many more. */
  limit(limit: { route: 'send' | 'edit'; after: number; pause: FakePause; times?: number }): void;
  /** A message that the platform accepted was not delivered: it tells the bot so. */
  failLater(id: string): Promise<void>;

  /** The platform is gone: connections break, none can be made. What users write meanwhile is delivered afterwards. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  /** Present connections fall silent, without an end. New ones work. */
  halfOpen(): void;
  /** The platform asks the bot to connect again. */
  askToReconnect(): void;
  /** Sessions that could be resumed are unknown from now on. */
  forgetSessions(): void;
  /** Another program connects with the same credentials, where the platform then ends the first connection. */
  takeOver(): void;
  /** Refuses the credentials from now on, and ends connections that use them. */
  revoke(): void;
  /** The present access token is not valid any more. */
  expireToken(): void;
  /** Present connections, and attempts to connect since the start. For a webhook platform, both are 0. */
  connections(): { open: number; attempts: number };

  /** A user stops the answer that is being written. */
  stopAnswer(messageId: string): Promise<void>;
  /** The platform closes a message that is being streamed. */
  closeStream(): void;
  /** What the platform gets when it polls for a streamed text, for pull streams. @returns null for an unknown one */
  pollStream(id?: string): Promise<{ text: string; isFinished: boolean } | null>;
  /** What the bot wrote into responses so far has arrived. Absent where the platform takes no text from responses. */
  settled?(): Promise<void>;
  /** Time windows and uses for answers to a message are over. */
  spendWindow(messageId: string): void;

  /** Log-in: what the user does with the code. */
  signIn(step: 'scan' | 'confirm' | 'refuse' | 'expire' | 'slow_down'): void;

  /**
   * From now on the platform gives an address in a private network where it gives the adapter one to connect to. Absent
   * if it gives none.
   */
  handOut?(kind: 'private_address'): void;

  /** The fake's clock, milliseconds since 1970. Tokens, windows and sessions expire by it. */
  now(): number;
  /** Moves it forward. */
  advance(milliseconds: number): void;
  close(): Promise<void>;
}

/** Thrown by a driver for what its platform does not have. */
export class NotOfThisPlatform extends Error {
  constructor(what: string) {
    super(`This platform has no counterpart for: ${what}`);
    this.name = 'NotOfThisPlatform';
  }
}

/**
 * What the service does around an adapter, for tests: its network clients, and the address that platforms reach. The
 * suite gives an adapter these only, so that connections beside them are found.
 */
export interface PlatformHost extends Pick<PlatformContext, 'listen'> {
  /** Clients that may reach private addresses only where the configuration names them, through its `proxy` if it has one. */
  clients(config: Record<string, unknown>): Pick<PlatformContext, 'fetch' | 'fetchContent' | 'openSocket'>;
  /** Serves the webhook and the inbound websockets of one bot. `url` has no slash at its end. */
  serve(bot: ServedBot): Promise<{ url: string; close(): Promise<void> }>;
}

/** The bot behind an address. What it lacks is answered as the service does. */
export interface ServedBot {
  verifyAddress(request: WebhookRequest): ReturnType<NonNullable<PlatformImplementation['verifyAddress']>>;
  /** Null while it is not connected. */
  adapter(): PlatformAdapter | null;
}
