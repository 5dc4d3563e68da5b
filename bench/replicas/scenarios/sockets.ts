import { setTimeout as delay } from 'node:timers/promises';
import { inTime } from '../../faults/lib/stage.ts';
import { present } from '../../faults/record.ts';
import type { LaunchedServer } from '../../lib/server-process.ts';
import { round } from '../../lib/statistics.ts';
import { ChatUsers } from '../chat-users.ts';
import { ChatWatcher } from '../chat-watcher.ts';
import { Everyone, telegramBots } from '../everyone.ts';
import { type Group, type GroupOptions, withGroup } from '../group.ts';
import type { ReplicaScenario, ReplicaSizes } from '../scenario.ts';

/** How long users write and sockets move, seconds. */
const longest = 30;
/** How often sockets move, and how many of them each time. */
const moving = { everyMs: 500, share: 0.1 };
/** Sockets of the web chat. */
const sockets = 50;
/** How long a watcher may wait for what is stored, milliseconds: until the beat that finds what no notice told. */
const settleMs = 12_000;
/** Within which `!cancel` works at another process, seconds. */
const cancelLimits = { channel: 1, beat: 3 };
/** Within which sockets of a revoked key end, seconds. */
const revokedLimit = 2;
const rounds = 5;

/** Moves sockets at random while users write, beside watchers that never move. */
async function move(group: Group, everyone: Everyone, sizes: ReplicaSizes) {
  const { stage, balancer } = group;
  const addresses = await Promise.all([...group.running.values()].map(({ ready }) => ready));
  const { conversations, pipeline } = everyone.chat;
  const watchers = await Promise.all(
    conversations.map((conversation, index) =>
      ChatWatcher.open(addresses[index % addresses.length] ?? '', { pipeline, conversation, key: stage.key }),
    ),
  );
  const end = new AbortController();
  const load = everyone.askUntil(sizes.rate, end.signal);
  const seconds = Math.min(sizes.seconds, longest);
  for (const until = present() + 1000 * seconds; present() < until; ) {
    await delay(moving.everyMs);
    everyone.chat.move(moving.share);
  }
  end.abort();
  await load;
  const { problems, verdict: _, ...figures } = await everyone.judge(sizes.patience);
  const api = stage.api(balancer.address);
  const answers = await Promise.all(
    conversations.map(async (conversation): Promise<number[]> => {
      const path = `/api/v1/pipelines/${pipeline}/ws/messages/person?conversation=${conversation}`;
      const { messages } = await api.call('GET', path);
      return messages.flatMap(({ id, role }: { id: number; role: string }) => (role === 'assistant' ? [id] : []));
    }),
  );
  const missed = () => watchers.reduce((sum, watcher, index) => sum + watcher.missed(answers[index] ?? []), 0);
  for (const until = present() + settleMs; present() < until && missed() > 0; ) await delay(100);
  const repeated = watchers.reduce((sum, watcher) => sum + watcher.repeated, 0);
  if (missed() > 0) problems.push(`sockets that did not move missed ${missed()} messages`);
  if (repeated > 0) problems.push(`sockets that did not move received ${repeated} messages again`);
  await Promise.all(watchers.map((watcher) => watcher.close()));
  const moves = everyone.chat.connections - sockets;
  return { problems, figures: { ...figures, moves, watched: answers.flat().length } };
}

/** Has a user ask at one process and cancel at another one. @returns the longest time until the model writes no more, seconds */
async function cancel(group: Group): Promise<number> {
  const { stage } = group;
  const [one, other] = [...group.running.values()] as [LaunchedServer, LaunchedServer];
  const [first, second] = [await one.ready, await other.ready];
  const api = stage.api(first);
  const { pipelines } = await api.call('GET', '/api/v1/pipelines');
  const at = { pipeline: pipelines[0].uuid, key: stage.key, api };
  await stage.model.setPace({ before: [0, 0], writing: [60_000, 60_000], chunks: 60 });
  const chats = Array.from({ length: rounds }, (_, index) => 90_000 + index);
  const here = new ChatUsers('asks', chats, { ...at, address: first });
  const there = new ChatUsers('cancels', chats, { ...at, address: second });
  let longestSeconds = 0;
  try {
    await waitFor(one, async () => here.areConnected && there.areConnected);
    for (const chat of chats) {
      const id = `q${chat}`;
      here.ask(chat, `Question ${id} in 1 parts: what is the weather going to be like?`);
      await waitFor(one, async () => stage.model.isAnswering(id));
      await delay(1000);
      const begun = present();
      there.ask(chat, '!cancel');
      await waitFor(one, async () => !(await stage.model.isAnswering(id)));
      longestSeconds = Math.max(longestSeconds, (present() - begun) / 1000);
    }
  } finally {
    await Promise.all([here.close(), there.close()]);
  }
  return longestSeconds;
}

/** Revokes keys at one process. @returns requests that were answered with them afterwards, and how long sockets stayed open */
async function revoke(group: Group): Promise<{ accepted: number; seconds: number }> {
  const { stage } = group;
  const addresses = await Promise.all([...group.running.values()].map(({ ready }) => ready));
  const api = stage.api(addresses[0] ?? '');
  const { pipelines } = await api.call('GET', '/api/v1/pipelines');
  let accepted = 0;
  let seconds = 0;
  for (let index = 0; index < rounds; index += 1) {
    const { key } = await api.call('POST', '/api/v1/apikeys', { name: `revoked ${index}`, scopes: ['read', 'send'] });
    const read = async (address: string) =>
      (await fetch(`${address}/api/v1/pipelines`, { headers: { 'x-api-key': key.key } })).status;
    for (const address of addresses) {
      const status = await read(address);
      if (status !== 200) throw new Error(`A new key was answered ${status}`);
    }
    const place = { pipeline: pipelines[0].uuid, conversation: `revoked-${index}`, key: key.key };
    const watchers = await Promise.all(addresses.map((address) => ChatWatcher.open(address, place)));
    await stage.api(addresses[index % addresses.length] ?? '').call('DELETE', `/api/v1/apikeys/${key.id}`);
    const begun = present();
    for (const status of await Promise.all(addresses.map(read))) if (status !== 401) accepted += 1;
    const [service] = group.running.values();
    const ended = Promise.all(watchers.map(({ ended }) => ended));
    if (service !== undefined) await inTime(ended, 30_000, service);
    seconds = Math.max(seconds, (present() - begun) / 1000);
  }
  return { accepted, seconds };
}

async function waitFor(service: LaunchedServer, condition: () => Promise<boolean>): Promise<void> {
  const deadline = present() + 30_000;
  while (!(await condition())) {
    if (present() > deadline) throw new Error(`It took too long:\n${service.output()}`);
    await delay(30);
  }
}

export const socketsScenario: ReplicaScenario = {
  summary: `Three processes behind a balancer that moves ${sockets} sockets at random, \`!cancel\` elsewhere, and revoked keys.`,
  run: async ({ sizes, log, tree }) => {
    const options: GroupOptions = { bots: telegramBots, log, ...(tree === undefined ? {} : { tree }) };
    const moved = await withGroup(options, async (group) => {
      await group.stage.model.setPace({ before: [20, 200], writing: [200, 1500], chunks: 6 });
      await Promise.all([0, 1, 2].map((place) => group.start(place)));
      const everyone = await Everyone.enter(group, sockets * (telegramBots.length + 2));
      try {
        const { problems, figures } = await move(group, everyone, sizes);
        const late: string[] = [];
        const revoked = await revoke(group);
        log(`sockets of revoked keys ended after ${revoked.seconds.toFixed(2)} s`);
        if (revoked.accepted > 0) problems.push(`${revoked.accepted} requests with revoked keys were answered`);
        if (revoked.seconds > revokedLimit) late.push(`a socket of a revoked key stayed ${revoked.seconds} s`);
        const seconds = await cancel(group);
        log(`!cancel elsewhere: ${seconds.toFixed(2)} s`);
        if (seconds > cancelLimits.channel) late.push(`!cancel elsewhere took ${seconds.toFixed(2)} s`);
        const more = { revoked_accepted: revoked.accepted, revoked_sockets_s: round(revoked.seconds, 2) };
        return { problems, late, figures: { ...figures, ...more, cancel_s: round(seconds, 2) } };
      } finally {
        await everyone.close();
      }
    });
    const seconds = await withGroup({ ...options, channel: false }, async (group) => {
      await Promise.all([0, 1].map((place) => group.start(place)));
      return await cancel(group);
    });
    log(`!cancel elsewhere, without the channel: ${seconds.toFixed(2)} s`);
    if (seconds > cancelLimits.beat) moved.late.push(`!cancel without the channel took ${seconds.toFixed(2)} s`);
    return { ...moved, figures: { ...moved.figures, cancel_without_channel_s: round(seconds, 2) } };
  },
};
