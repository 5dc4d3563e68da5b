import type { Alert, AlertFacts, AlertNotice, EndReason, NoticeState } from './alert.ts';
import type { StoredAlertRule } from './alert-rule.ts';
import type { StoredAlertTarget } from './alert-target.ts';

/** An alert that is open. */
export type OpenAlert = Pick<Alert, 'id' | 'rule_uuid' | 'rule_name' | 'kind' | 'facts'>;

/** An alert whose condition begins to hold. */
export interface NewAlert extends Omit<OpenAlert, 'id'> {
  started_at: string;
  /** Who is notified. */
  targets: readonly string[];
}

/** A notice that is to be sent now. */
export interface DueNotice extends Pick<AlertNotice, 'uuid' | 'event' | 'target_uuid' | 'attempts'> {
  alert: Pick<Alert, 'id' | 'rule_uuid' | 'rule_name' | 'kind' | 'started_at' | 'ended_at' | 'end_reason'>;
  /** As they were when the notice was made. */
  facts: AlertFacts;
  /** Milliseconds since 1970; no attempt after it. */
  expires_at: number;
}

/** A notice as it was read: the number of its attempts tells whether others have claimed it since. */
export type ReadNotice = Pick<DueNotice, 'uuid' | 'attempts'>;

/** The next state of a notice after an attempt. */
export interface NoticeProgress {
  state: Exclude<NoticeState, 'sending'>;
  /** Milliseconds since 1970; null when it ended. */
  due_at: number | null;
  error: string | null;
}

/** Rules, targets, alerts and their notices. Every method is atomic. Timestamps of notices are milliseconds since 1970. */
export interface AlertStore {
  /** Oldest first. */
  rules(): Promise<StoredAlertRule[]>;
  rule(uuid: string): Promise<StoredAlertRule | null>;
  /** @returns false when there are `maximum` already */
  createRule(rule: StoredAlertRule, maximum: number): Promise<boolean>;
  /**
   * @param change receives the stored rule, which is locked meanwhile; its errors are rethrown
   * @returns null when there is no such rule
   */
  updateRule(
    uuid: string,
    change: (stored: StoredAlertRule) => Partial<StoredAlertRule>,
  ): Promise<StoredAlertRule | null>;
  /** @returns false when there is no such rule */
  deleteRule(uuid: string): Promise<boolean>;
  setHeld(uuid: string, heldMs: number): Promise<void>;

  targets(): Promise<StoredAlertTarget[]>;
  target(uuid: string): Promise<StoredAlertTarget | null>;
  createTarget(target: StoredAlertTarget, maximum: number): Promise<boolean>;
  updateTarget(
    uuid: string,
    change: (stored: StoredAlertTarget) => Partial<StoredAlertTarget>,
  ): Promise<StoredAlertTarget | null>;
  /** Its pending notices fail. @returns false when there is no such target */
  deleteTarget(uuid: string, now: number): Promise<boolean>;

  openAlerts(): Promise<OpenAlert[]>;
  /** Opens an alert with a notice to each target that exists, unless the rule has an open one. */
  begin(alert: NewAlert, times: { now: number; expires_at: number }): Promise<void>;
  setFacts(id: number, facts: AlertFacts): Promise<void>;
  /** Ends an open alert with a notice to each target that was notified of its beginning. */
  end(
    id: number,
    ended: { ended_at: string; end_reason: EndReason; facts: AlertFacts },
    times: { now: number; expires_at: number },
  ): Promise<void>;

  /**
   * Latest first, with their notices.
   * @param before id of the alert before the first one
   */
  alerts(filter: { isOpen?: boolean | undefined; limit: number; before: number | null }): Promise<Alert[]>;
  alert(id: number): Promise<Alert | null>;

  /** Notices that no living replica sends any more: those to chats become `uncertain`, all others are due again. */
  recoverNotices(now: number): Promise<void>;
  /** Due notices, whose predecessors have ended; those far in the future were made before the clock was set back. */
  dueNotices(now: number, farFuture: number, limit: number): Promise<DueNotice[]>;
  /** The next time that a notice is due; null when none is pending. */
  nextDue(): Promise<number | null>;
  /** Marks a due notice as being sent by this replica. @returns false when another replica has, meanwhile */
  claimNotice(notice: ReadNotice): Promise<boolean>;
  /**
   * Stores the result of the attempt that a claim began.
   * @param notice as it was before the claim
   * @returns false, having stored nothing, when the claim is outdated
   */
  settleNotice(notice: ReadNotice, progress: NoticeProgress, now: number): Promise<boolean>;
  /** Makes the pending notices to a target due now. */
  hurryNotices(targetUuid: string, now: number): Promise<void>;
  /** Removes alerts that ended before a timestamp. @returns how many, at most `limit` */
  removeBefore(timestamp: string, limit: number): Promise<number>;
}

/** Reads what rules are about. */
export interface AlertFigures {
  /** Inbound messages that were received before a timestamp and have not ended. */
  waiting(filter: { bot_uuid: string | null; before: string; limit: number }): Promise<number>;
  /** Messages in a window whose delivery is uncertain. */
  uncertain(filter: { bot_uuid: string | null; from: string; to: string }): Promise<number>;
  /** Documents that failed in a window: how many, and the names of the first. */
  failedDocuments(filter: {
    knowledge_base_uuid: string | null;
    from: string;
    to: string;
    names: number;
  }): Promise<{ count: number; names: string[] }>;
  /** Which of these exist. */
  existing(of: 'pipelines' | 'knowledge_bases', uuids: readonly string[]): Promise<Set<string>>;
}
