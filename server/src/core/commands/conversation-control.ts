/** One of the models that may answer in a conversation. */
export interface ConversationModel {
  uuid: string;
  name: string;
  /** It is asked first. */
  current: boolean;
}

/** How a conversation is. */
export interface ConversationStatus {
  /** Messages of the same chat that are being answered now, beside the command. */
  under_way: number;
  /** Messages of the conversation that wait behind the command. */
  waiting: number;
  /** Questions that were answered. */
  rounds: number;
  /** When the conversation began, ISO 8601 UTC. */
  since: string;
}

/** What a command may ask of the conversation that it was given in, and do to it. */
export interface ConversationControl {
  /** Ends it; the next message begins another. */
  reset(): Promise<void>;
  /** What was said in the last rounds before the command, oldest first. */
  history(rounds: number): Promise<{ role: 'user' | 'assistant'; text: string }[]>;
  /** How many messages were cancelled because of the command. */
  cancelled(): Promise<number>;
  status(): Promise<ConversationStatus>;
  /** The models of the pipeline, in the order in which it names them; none when others answer for it. */
  models(): Promise<ConversationModel[]>;
  /** Has one of them asked first from now on, in this conversation; null for the one that the pipeline names first. */
  chooseModel(uuid: string | null): Promise<void>;
}
