import { type ShownPart, shownParts } from './answer-text.ts';
import type { EvaluatedQuestion, RecordedSend, TelegramRecord, VisibleMessage } from './record.ts';

/** What the service's API says of a question. */
export interface ListedMessage {
  /** Id of the question in its text. */
  id: string;
  uuid: string;
  state: string;
  reason: string | null;
  /** Of its answer; null while there is none. */
  deliveryState: string | null;
  /** When the service stored it, milliseconds since 1970. */
  createdAt: number;
  /** When its processing ended, milliseconds since 1970; null while it has not. */
  finishedAt: number | null;
}

/** Something that was done to the service or to the platform: a kill is an instant, an outage a span. */
export interface Incident {
  from: number;
  until: number;
  /** Process that was ended by it; null when none was. */
  process: number | null;
}

/** Everything that a judgement rests on. */
export interface Evidence {
  record: TelegramRecord;
  listed: readonly ListedMessage[];
  incidents: readonly Incident[];
  /** Calls of the model by question. */
  modelCalls: Readonly<Record<string, number>>;
  /** How long before a kill an answer may have left the platform without having been read, milliseconds. Default 50. */
  wireMs?: number;
}

/** How the answers to some questions ended, by what users see. */
export interface Verdict {
  asked: number;
  /** Every part of the answer is in the chat. */
  delivered: number;
  /** Not delivered, and the API lists neither a failure nor an uncertain delivery. */
  lost: number;
  /** Some part of the answer stands in more than one message, though no send of it was inconclusive. */
  repeated: number;
  /** Messages that hold only some of a part, without an inconclusive send that explains them. */
  partial: number;
  /** Answers that stand behind the answer to a later question, and answers whose parts are out of order. */
  reordered: number;
  /** Listed as uncertain, delivered or not. */
  uncertain: number;
  /** Listed as failed, delivered or not. */
  failed: number;
  /** Of those, for a reason that is the store's or internal. */
  ended_by_store: number;
  /** Not delivered, but some part of it was, and neither a failure nor an uncertain delivery is listed. */
  gaps: number;
  /** Repeats and partial messages that an inconclusive send explains. */
  exempt: number;
  /**
   * Uncertain without an inconclusive send of their answer. Where a process was ended, only those that were delivered: of the
   * others, a send that was recorded as begun may not have left.
   */
  unfounded: number;
  /** Uncertain and exempt answers beyond the first of one conversation and incident. */
  excessive: number;
  /** Messages that are no part of an answer: notices of failures, say. */
  notices: number;
  /** Calls of the model beyond the first one of each question. */
  extra_model_calls: number;
}

/** See {@link Evidence.wireMs}. */
const defaultWireMs = 50;

/** Reasons of messages that ended by a fault of the service or its store. */
const storeReasons = /^(internal|storage)/;

/** Questions of which a partial message remains that an inconclusive send explains, and whose answer is complete. */
export function questionsWithRemains(evidence: Evidence): ListedMessage[] {
  const { record } = evidence;
  const context = contextOf(evidence);
  return record.questions.flatMap((question) => {
    const { exempt, status, isDelivered } = judgeOne(question, context);
    const known = context.listed.get(question.id);
    const hasCut = (context.shown.get(question.id) ?? []).some(({ isComplete }) => !isComplete);
    return exempt > 0 && hasCut && isDelivered && status === null && known !== undefined ? [known] : [];
  });
}

/** One sentence for each uncertain answer that {@link Verdict.unfounded} counts although it was delivered. */
export function unfoundedAnswers(evidence: Evidence): string[] {
  const { record, incidents } = evidence;
  const context = contextOf(evidence);
  return record.questions.flatMap((question) => {
    const { status, inconclusive, isDelivered } = judgeOne(question, context);
    if (status !== 'uncertain' || inconclusive.length > 0 || !isDelivered) return [];
    const sends = context.sendsOf.get(question.id) ?? [];
    const latest = Math.min(...sends.map((send) => timeLeft(send, incidents)));
    const before =
      latest === Number.POSITIVE_INFINITY
        ? 'and no process ended then'
        : `${Math.round(latest)} ms before the end of its process`;
    return [`${question.bot}: the platform had answered every send of ${question.id}, the latest ${before}`];
  });
}

/** One sentence for each answer that {@link Verdict.repeated} counts, with all its sends. */
export function repeatedAnswers(evidence: Evidence): string[] {
  const context = contextOf(evidence);
  return evidence.record.questions.flatMap((question) => {
    if (!judgeOne(question, context).isRepeated) return [];
    const sends = (context.sendsOf.get(question.id) ?? []).map((send) => {
      const { method, messageId, process, receivedAt, answeredAt, status } = send;
      const took = answeredAt === null ? 'no answer' : `${status} after ${Math.round(answeredAt - receivedAt)} ms`;
      return `${method} of ${messageId} by ${process} at ${Math.round(receivedAt - question.at)} ms: ${took}`;
    });
    return [`${question.bot}: ${question.id} was sent again: ${sends.join('; ')}`];
  });
}

/** One sentence for each question that {@link Verdict.lost} counts. */
export function lostAnswers(evidence: Evidence): string[] {
  const { record, incidents } = evidence;
  const context = contextOf(evidence);
  return record.questions.flatMap((question) => {
    const { status, isDelivered } = judgeOne(question, context);
    if (isDelivered || status !== null) return [];
    const known = context.listed.get(question.id);
    const stored = known && `${known.state}, stored after ${Math.round(known.createdAt - question.at)} ms`;
    const near = incidents
      .filter(({ from, until }) => from - 5000 < question.at && question.at < until + 5000)
      .map(({ from, process }) => `process ${process} ${Math.round(from - question.at)} ms later`);
    const sends = (context.sendsOf.get(question.id) ?? []).map(({ status: sent, process }) => `${sent} by ${process}`);
    return [
      `${question.bot}: ${question.id} was ${stored ?? 'never stored'}; faults: ${near.join(', ')}; sends: ${sends.join(', ')}`,
    ];
  });
}

/** From the answer to a send until its process was ended, milliseconds; infinite when it was not. */
function timeLeft({ answeredAt, process }: RecordedSend, incidents: readonly Incident[]): number {
  const end = incidents.find((incident) => incident.process !== null && incident.process === process);
  return end === undefined || answeredAt === null ? Number.POSITIVE_INFINITY : end.from - answeredAt;
}

/** Compares what users see with what was asked and with what the API says. @param bots those that count; all by default */
export function judge(evidence: Evidence, bots?: readonly string[]): Verdict {
  const { record, incidents, modelCalls } = evidence;
  const counts = ({ bot }: { bot: string }) => bots === undefined || bots.includes(bot);
  const questions = record.questions.filter(counts);
  const context = contextOf(evidence);
  const findings = questions.map((question) => judgeOne(question, context));
  const total = (count: (finding: Finding) => number | boolean) =>
    findings.reduce((sum, finding) => sum + Number(count(finding)), 0);
  const hasEndedProcess = incidents.some(({ process }) => process !== null);
  return {
    asked: questions.length,
    delivered: total(({ isDelivered }) => isDelivered),
    lost: total(({ isDelivered, status }) => !isDelivered && status === null),
    repeated: total(({ isRepeated }) => isRepeated),
    partial: total(({ partial }) => partial),
    reordered: reordered(findings),
    uncertain: total(({ status }) => status === 'uncertain'),
    failed: total(({ status }) => status === 'failed'),
    ended_by_store: total(({ status, reason }) => status === 'failed' && storeReasons.test(reason ?? '')),
    gaps: total(({ isDelivered, isBegun, status }) => !isDelivered && isBegun && status === null),
    exempt: total(({ exempt }) => exempt),
    unfounded: total(
      ({ status, inconclusive, isDelivered }) =>
        status === 'uncertain' && inconclusive.length === 0 && (isDelivered || !hasEndedProcess),
    ),
    excessive: excessive(findings, incidents),
    notices: record.visible.filter((message) => counts(message) && shownParts(message.text).length === 0).length,
    extra_model_calls: questions.reduce((sum, { id }) => sum + Math.max(0, (modelCalls[id] ?? 0) - 1), 0),
  };
}

type Shown = ShownPart & { message: VisibleMessage };

interface Context {
  wireMs: number;
  incidents: readonly Incident[];
  shown: Map<string, Shown[]>;
  /** By the message that they made or changed. */
  sends: Map<string, RecordedSend[]>;
  sendsOf: Map<string, RecordedSend[]>;
  listed: Map<string, ListedMessage>;
}

function contextOf({ record, listed, incidents, wireMs = defaultWireMs }: Evidence): Context {
  return {
    wireMs,
    incidents,
    shown: shownByQuestion(record.visible),
    sends: Map.groupBy(record.sends, messageKey),
    sendsOf: sendsByQuestion(record.sends),
    listed: new Map(listed.map((one) => [one.id, one])),
  };
}

interface Finding {
  question: EvaluatedQuestion;
  status: 'uncertain' | 'failed' | null;
  reason: string | null;
  isDelivered: boolean;
  /** Whether at least one part of it is complete. */
  isBegun: boolean;
  isRepeated: boolean;
  partial: number;
  exempt: number;
  /** Sends of the answer whose effect cannot be known. */
  inconclusive: RecordedSend[];
  finishedAt: number | null;
  /** Numbers of the messages that hold the parts, in the order of the parts: the first complete one of each. */
  places: number[];
}

function judgeOne(question: EvaluatedQuestion, context: Context): Finding {
  const shown = context.shown.get(question.id) ?? [];
  const listed = context.listed.get(question.id);
  const status = statusOf(listed);
  const explained = (one: Shown) => {
    const made = (context.sends.get(messageKey(one.message)) ?? []).find(({ method }) => method === 'sendMessage');
    return made !== undefined && isInconclusive(made, context);
  };
  let isRepeated = false;
  let partial = 0;
  let exempt = 0;
  const places: number[] = [];
  let complete = 0;
  for (let part = 1; part <= question.parts; part += 1) {
    const copies = shown.filter((one) => one.part === part);
    const whole = copies.filter(({ isComplete }) => isComplete);
    const cut = copies.filter(({ isComplete }) => !isComplete);
    if (whole.length > 0) {
      complete += 1;
      places.push(Math.min(...whole.map(({ message }) => message.messageId)));
    }
    const conclusive = copies.filter((one) => !explained(one));
    if (conclusive.length > 1) isRepeated = true;
    partial += cut.filter((one) => !explained(one)).length;
    const unexplained = whole.filter((one) => !explained(one)).length;
    exempt += cut.filter(explained).length + Math.max(0, whole.length - Math.max(1, unexplained));
  }
  return {
    question,
    status,
    reason: listed?.reason ?? null,
    isDelivered: complete === question.parts,
    isBegun: complete > 0,
    isRepeated,
    partial,
    exempt,
    inconclusive: (context.sendsOf.get(question.id) ?? []).filter((send) => isInconclusive(send, context)),
    finishedAt: listed?.finishedAt ?? null,
    places,
  };
}

function statusOf(listed: ListedMessage | undefined): Finding['status'] {
  if (listed === undefined) return null;
  for (const status of ['uncertain', 'failed'] as const) {
    if (listed.state === status || listed.deliveryState === status) return status;
  }
  return null;
}

/** Whether the service cannot know the result of a send: no answer, a server fault, or a kill before it was read. */
function isInconclusive(send: RecordedSend, { incidents, wireMs }: Pick<Context, 'incidents' | 'wireMs'>): boolean {
  const { answeredAt, status, process } = send;
  if (answeredAt === null || status >= 500) return true;
  return incidents.some(
    (incident) => incident.process !== null && incident.process === process && answeredAt > incident.from - wireMs,
  );
}

/** Of each conversation: answers that stand behind one to a later question, and parts that stand behind later parts. */
function reordered(findings: readonly Finding[]): number {
  let count = 0;
  const conversations = Map.groupBy(findings, ({ question: { bot, chat } }) => `${bot}/${chat}`);
  for (const conversation of conversations.values()) {
    let next = Number.POSITIVE_INFINITY;
    for (const { places } of conversation.toReversed()) {
      const first = places[0];
      if (first === undefined) continue;
      const isOutOfOrder = places.some((place, index) => place < (places[index - 1] ?? place));
      if (first > next || isOutOfOrder) count += 1;
      next = Math.min(next, first);
    }
  }
  return count;
}

function excessive(findings: readonly Finding[], incidents: readonly Incident[]): number {
  const doubtful = findings.filter(({ status, exempt }) => status === 'uncertain' || exempt > 0);
  const groups = Map.groupBy(doubtful, (finding) => {
    const { bot, chat } = finding.question;
    return `${bot}/${chat}/${incidentOf(finding, incidents)}`;
  });
  return [...groups.values()].reduce((sum, group) => sum + group.length - 1, 0);
}

/**
 * The incident that an answer met: the one under way when its first inconclusive send arrived, or the next one. When no send
 * arrived, it was about to leave when its process ended: the last incident before the message was settled.
 */
function incidentOf({ inconclusive, finishedAt }: Finding, incidents: readonly Incident[]): number {
  const [send] = inconclusive;
  if (send === undefined) return incidents.findLastIndex(({ from }) => from <= (finishedAt ?? 0));
  const next = incidents.findIndex(({ until }) => until >= send.receivedAt);
  return next < 0 ? incidents.length - 1 : next;
}

function shownByQuestion(visible: readonly VisibleMessage[]): Map<string, Shown[]> {
  const shown = visible.flatMap((message) => shownParts(message.text).map((part) => ({ ...part, message })));
  return Map.groupBy(shown, ({ id }) => id);
}

function sendsByQuestion(sends: readonly RecordedSend[]): Map<string, RecordedSend[]> {
  const pairs = sends.flatMap((send) => send.questions.map((id) => ({ id, send })));
  const grouped = Map.groupBy(pairs, ({ id }) => id);
  return new Map([...grouped].map(([id, ofOne]) => [id, ofOne.map(({ send }) => send)]));
}

function messageKey({ bot, chat, messageId }: { bot: string; chat: number; messageId: number | null }): string {
  return `${bot}/${chat}/${messageId}`;
}
