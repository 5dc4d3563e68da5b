/** One of the models that may answer in a conversation. */
export interface ConversationModel {
  uuid: string;
  name: string;
  /** It is called first. */
  current: boolean;
}

/** How a conversation is. */
export interface ConversationStatus {
  /** Other messages of the same chat that are being answered. */
  under_way: number;
  /** Messages of the conversation that wait behind the command. */
  waiting: number;
  /** Questions that were answered. */
  rounds: number;
  /** Start of the conversation, ISO 8601 UTC. */
  since: string;
}

/** What a command may read of its conversation and do to it. */
export interface ConversationControl {
  /** Ends it; the next message starts another. */
  reset(): Promise<void>;
  /** The messages of the last rounds before the command, oldest first. */
  history(rounds: number): Promise<{ role: 'user' | 'assistant'; text: string }[]>;
  /** How many messages were cancelled because of the command. */
  cancelled(): Promise<number>;
  status(): Promise<ConversationStatus>;
  /** The models of the pipeline, in the order in which it names them; none when others answer for it. */
  models(): Promise<ConversationModel[]>;
  /** Calls one of them first from now on, in this conversation; null for the first one of the pipeline. */
  chooseModel(uuid: string | null): Promise<void>;
}
