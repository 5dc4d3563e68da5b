import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../server/test/shared/free-port.ts';
import { questionText } from '../faults/answer-text.ts';
import { judge, type ListedMessage, lostAnswers, repeatedAnswers, type Verdict } from '../faults/judge.ts';
import { inTime } from '../faults/lib/stage.ts';
import { present } from '../faults/record.ts';
import { openLoop } from '../lib/open-loop.ts';
import { ChatUsers } from './chat-users.ts';
import type { Group } from './group.ts';
import { OneBotUsers } from './onebot-users.ts';
import { TelegramUsers } from './telegram-users.ts';
import { mayBeUnread, type UserGroup } from './user-group.ts';

/** Bots of Telegram: two that poll, of which one shows answers while they are written, and one that is called. */
export const telegramBots = [
  { name: 'plain', streaming: false },
  { name: 'stream', streaming: true },
  { name: 'hook', streaming: false, webhook: true },
] as const;

/** How everything that was asked has ended. */
export interface GroupOutcome {
  asked: number;
  lost: number;
  repeated: number;
  reordered: number;
  uncertain: number;
  /** Whatever should not be, one sentence each. */
  problems: string[];
  verdict: Verdict;
}

/** How long users must have seen nothing new, milliseconds. */
const quietMs = 3000;
/** How long users write until that is logged, and then again, milliseconds. */
const waitLogMs = 5000;

/** Users of every kind of connection: long poll, webhook, websockets of a platform, and web chat. */
export class Everyone {
  readonly chat: ChatUsers;
  readonly #group: Group;
  readonly #groups: readonly UserGroup[];
  readonly #chats: ReadonlyMap<string, number[]>;
  #lastQuestion = 0;

  private constructor(
    group: Group,
    groups: readonly UserGroup[],
    chats: ReadonlyMap<string, number[]>,
    chat: ChatUsers,
  ) {
    this.#group = group;
    this.#groups = groups;
    this.#chats = chats;
    this.chat = chat;
  }

  /** @param conversations of all together. The group has to run, with {@link telegramBots}. */
  static async enter(group: Group, conversations: number): Promise<Everyone> {
    const { stage, balancer } = group;
    const api = stage.api(balancer.address);
    const { pipelines } = await api.call('GET', '/api/v1/pipelines');
    const pipeline: string = pipelines[0].uuid;
    const token = 'the-token-of-the-client';
    const { uuid } = await api.call('POST', '/api/v1/platform/bots', {
      name: 'socket',
      adapter: 'aiocqhttp',
      // Each process listens there too, and so do those of other runs.
      adapter_config: { 'access-token': token, 'require-token': true, port: await freePort() },
      enable: true,
      use_pipeline_uuid: pipeline,
    });
    const names = [...telegramBots.map(({ name }) => name), 'socket', 'chat'];
    const each = Math.max(1, Math.floor(conversations / names.length));
    const chats = new Map(
      names.map((name, index) => [name, Array.from({ length: each }, (_, place) => (index + 1) * 10_000 + place + 1)]),
    );
    const target = { address: balancer.address, pipeline, key: stage.key, api };
    const chat = new ChatUsers('chat', chats.get('chat') ?? [], target);
    const groups: UserGroup[] = [
      ...telegramBots.map(({ name }) => new TelegramUsers(name, stage.telegram)),
      new OneBotUsers('socket', { url: `${balancer.address.replace('http', 'ws')}/bots/${uuid}`, token }),
      chat,
    ];
    return new Everyone(group, groups, chats, chat);
  }

  /** Users write in random conversations, over each kind of connection in turns, until the signal. */
  async askUntil(rate: number, signal: AbortSignal): Promise<void> {
    await openLoop({ rate, seconds: 3600, signal }, (index) => {
      const group = this.#groups[index % this.#groups.length];
      const chats = this.#chats.get(group?.name ?? '') ?? [];
      const chat = chats[Math.floor(Math.random() * chats.length)];
      if (group === undefined || chat === undefined) return;
      this.#lastQuestion += 1;
      group.ask(chat, questionText(`q${this.#lastQuestion}`, 1));
    });
  }

  /** Waits until everything is answered, and judges what users see. @param patience seconds */
  async judge(patience: number): Promise<GroupOutcome> {
    const { stage } = this.#group;
    const [service] = this.#group.running.values();
    if (service === undefined) throw new Error('No process runs');
    const problems: string[] = [];
    const deadline = present() + patience * 1000;
    let logged = present();
    while (!this.#groups.every((group) => group.isIdle())) {
      if (present() > deadline) {
        problems.push(this.#whoWrites());
        break;
      }
      if (present() > logged + waitLogMs) {
        logged = present();
        stage.log(this.#whoWrites());
      }
      await inTime(delay(200), 2000, service);
    }
    const isDrained = await stage.drained(service, (deadline - present()) / 1000);
    await delay(quietMs);
    const { listed, incidents, modelCalls, record } = await stage.evidence(service);
    if (!isDrained) problems.push(`not everything was answered: ${await this.#whatIsOpen(listed)}`);
    const ids = new Set(listed.map(({ id }: ListedMessage) => id));
    const onTheWire = (pid: number, at: number) => mayBeUnread(incidents, pid, at);
    const records = await Promise.all(this.#groups.map((group) => group.record((id) => ids.has(id), onTheWire)));
    const evidence = {
      listed,
      incidents,
      modelCalls,
      wireMs: 500,
      record: {
        questions: records.flatMap(({ questions }) => questions),
        sends: records.flatMap(({ sends }) => sends),
        visible: records.flatMap(({ visible }) => visible),
        conflicts: record.conflicts,
      },
    };
    const verdict = judge(evidence);
    for (const { name } of this.#groups) {
      const { lost, repeated, partial, reordered, failed, gaps, notices } = judge(evidence, [name]);
      for (const [figure, count] of Object.entries({ lost, repeated, partial, reordered, failed, gaps, notices })) {
        if (count > 0) problems.push(`${name}: ${figure} ${count}`);
      }
    }
    for (const group of this.#groups) {
      for (const [figure, count] of Object.entries(group.faults())) {
        if (count > 0) problems.push(`${group.name}: ${figure} ${count}`);
      }
    }
    for (const line of [...lostAnswers(evidence), ...repeatedAnswers(evidence)]) stage.log(line);
    const { asked, lost, repeated, reordered, uncertain } = verdict;
    return { asked, lost, repeated, reordered, uncertain, problems, verdict };
  }

  /** One sentence about who has written what is not confirmed. */
  #whoWrites(): string {
    const waits = this.#groups.flatMap((group) =>
      group
        .waitsFor()
        .slice(0, 5)
        .map((what) => `${group.name}: ${what}`),
    );
    return `still writing: ${waits.join('; ')}`;
  }

  /** One sentence about what keeps users waiting. */
  async #whatIsOpen(listed: readonly ListedMessage[]): Promise<string> {
    const { pending, quietMs: quiet } = await this.#group.stage.telegram.status();
    const open = listed.filter(({ finishedAt }) => finishedAt === null);
    const some = open.slice(0, 10).map(({ id, state, uuid }) => `${id} ${state} ${uuid}`);
    return `${pending} not received by the service, ${open.length} not finished (${some.join(', ')}), quiet for ${Math.round(quiet)} ms`;
  }

  async close(): Promise<void> {
    await Promise.all(this.#groups.map((group) => group.close()));
  }
}
