import { setTimeout as delay } from 'node:timers/promises';
import { queryDatabase } from '../../../server/test/postgres/query-database.ts';
import { askUntil } from '../../faults/lib/users.ts';
import { twoBots } from '../../faults/lib/with-engine.ts';
import { serverPid } from '../../lib/installation.ts';
import { familySeconds, processorSeconds } from '../../lib/process-usage.ts';
import { median, round } from '../../lib/statistics.ts';
import { type Group, withGroup } from '../group.ts';
import type { ReplicaScenario } from '../scenario.ts';

/** Load before it is measured, seconds: the bots are shared out 30 s after a start, and the program is compiled by then. */
const warmUp = { two: 45, one: 5 };
/** How long processes that have nothing to do are watched, seconds. */
const idleSeconds = 20;
const limits = { ratio: 1.15, statements: 5 };

/** Processor time of the processes and of the database, seconds. */
async function used(group: Group): Promise<number> {
  const database = await serverPid(group.databaseUrl);
  const services = [...group.running.values()].reduce((sum, { pid }) => sum + (processorSeconds(pid) ?? 0), 0);
  return services + (database === null ? 0 : (familySeconds(database) ?? 0));
}

/** @returns processor time of a message, milliseconds */
async function messageCost(
  group: Group,
  { rate, conversations }: { rate: number; conversations: number },
  { warmUp, seconds }: { warmUp: number; seconds: number },
) {
  await askUntil(group.stage, { rate, conversations }, { seconds: warmUp });
  await quiet(group);
  const before = await used(group);
  const asked = await askUntil(group.stage, { rate, conversations }, { seconds });
  await quiet(group);
  return (1000 * ((await used(group)) - before)) / asked;
}

async function quiet({ stage, running }: Group): Promise<void> {
  const [service] = running.values();
  if (service === undefined || !(await stage.drained(service, 60))) throw new Error('Not everything was answered');
}

/** @throws Error unless each process holds a bot */
async function assertShared({ databaseUrl, running }: Group): Promise<void> {
  const holders = await queryDatabase(databaseUrl, "select distinct replica from leases where name like 'bot/%'");
  if (holders.length !== running.size) throw new Error(`${holders.length} of ${running.size} processes hold bots`);
}

/** Lets the database count statements. It has to be told before processes start. */
async function countStatements({ databaseUrl, server }: Group): Promise<void> {
  await queryDatabase(databaseUrl, "alter system set shared_preload_libraries = 'pg_stat_statements'");
  await server.tell('stop');
  await server.tell('start');
  await queryDatabase(databaseUrl, 'create extension pg_stat_statements');
}

/** Statements a second that processes send which have nothing to do, each. */
async function idleStatements(group: Group): Promise<number> {
  // Not the transactions of the database: cleaning up after the load, it begins dozens by itself.
  const count = async () => {
    const [row] = await queryDatabase(group.databaseUrl, 'select sum(calls) as count from pg_stat_statements');
    return Number(row?.count);
  };
  group.balancer.isAsking = false;
  // What follows the load has ended.
  await delay(5000);
  const before = await count();
  await delay(idleSeconds * 1000);
  return ((await count()) - before) / idleSeconds / group.running.size;
}

export const cost: ReplicaScenario = {
  summary: 'Processor time of a message with two processes and with one, in turns, and statements of idle ones.',
  run: async ({ sizes, log, tree }) => {
    const options = { bots: twoBots, log, ...(tree === undefined ? {} : { tree }) };
    const costs: Record<'one' | 'two' | 'ratio', number[]> = { one: [], two: [], ratio: [] };
    const seconds = Math.min(sizes.seconds, 30);
    const measure = async (group: Group, name: 'one' | 'two') => {
      const milliseconds = await messageCost(group, sizes, { warmUp: warmUp[name], seconds });
      log(`${name}: ${milliseconds.toFixed(2)} ms`);
      costs[name].push(milliseconds);
      return milliseconds;
    };
    const idle = await withGroup(options, async (group) => {
      await countStatements(group);
      let perSecond = 0;
      for (let index = 0; index < sizes.rounds; index += 1) {
        for (const place of [0, 1]) if (!group.running.has(place)) await group.start(place);
        const two = await measure(group, 'two');
        await assertShared(group);
        if (index === 0) {
          perSecond = await idleStatements(group);
          group.balancer.isAsking = true;
        }
        await group.stop(index % 2);
        costs.ratio.push(two / (await measure(group, 'one')));
      }
      return perSecond;
    });
    const ratio = median(costs.ratio);
    const problems: string[] = [];
    if (ratio > limits.ratio) problems.push(`a message costs ${ratio.toFixed(2)} times as much with two processes`);
    if (idle > limits.statements) problems.push(`an idle process sends ${idle.toFixed(1)} statements a second`);
    const figures = {
      cpu_ratio: round(ratio, 3),
      message_ms_one: round(median(costs.one), 2),
      message_ms_two: round(median(costs.two), 2),
      idle_statements_per_s: round(idle, 1),
    };
    return { figures, problems };
  },
};
