import { setTimeout as delay } from 'node:timers/promises';
import { type Line, openLine } from '../../../server/test/postgres/open-line.ts';
import type { PostgresServer } from '../../../server/test/postgres/postgres-server.ts';
import { queryDatabase } from '../../../server/test/postgres/query-database.ts';
import { startTransactionPooler } from '../../../server/test/postgres/transaction-pooler.ts';
import { present } from '../../faults/record.ts';
import { round } from '../../lib/statistics.ts';
import { Everyone, telegramBots } from '../everyone.ts';
import { type Group, type GroupOptions, withGroup } from '../group.ts';
import type { ReplicaScenario, ReplicaScenarioOptions, ReplicaScenarioOutcome } from '../scenario.ts';

/** How long the database is away, milliseconds. */
const awayMs = 20_000;
/** Within which processes work again, seconds. */
const limit = 10;
/** Connections of the pooler to the server. */
const pooled = 20;

/** A server with a standby that confirms each commit, and the way to whichever of them takes commits. */
class Pair {
  readonly #server: PostgresServer;
  readonly #line: Line;
  /** The same database at the standby. */
  readonly #standby: string;

  private constructor(server: PostgresServer, line: Line, standby: string) {
    this.#server = server;
    this.#line = line;
    this.#standby = standby;
  }

  static async open(url: string, server: PostgresServer): Promise<Pair> {
    const standby = new URL(await server.addStandby());
    standby.pathname = new URL(url).pathname;
    return new Pair(server, await openLine(url), standby.href);
  }

  get url(): string {
    return this.#line.url;
  }

  async goAway(): Promise<void> {
    await this.#server.tell('stop');
    await delay(awayMs);
    await this.#server.tell('start');
  }

  async restart(how: 'stop' | 'crash'): Promise<void> {
    await this.#server.tell(how);
    await this.#server.tell('start');
  }

  /** Ends the server for good, and has the standby take over. */
  async failOver(): Promise<void> {
    await this.#server.tell('crash');
    await queryDatabase(this.#standby, 'select pg_promote()');
    this.#line.leadTo(this.#standby);
  }

  close(): void {
    this.#line.close();
  }
}

/** Seconds until each process is ready again. */
async function ready(group: Group): Promise<number> {
  const begun = present();
  const places = group.running.size;
  while (group.balancer.targets().length < places) {
    if (present() - begun > 60_000) throw new Error('The processes are not ready again');
    await delay(50);
  }
  return (present() - begun) / 1000;
}

async function run(
  { sizes, log, tree }: ReplicaScenarioOptions,
  { isPooled }: { isPooled: boolean },
): Promise<ReplicaScenarioOutcome> {
  let pair: Pair | null = null;
  const through: GroupOptions['through'] = async (url, server) => {
    const opened = await Pair.open(url, server);
    pair = opened;
    const pooler = isPooled ? await startTransactionPooler(opened.url, pooled) : null;
    const close = async () => {
      await pooler?.close();
      opened.close();
    };
    return { url: (pooler ?? opened).url, close };
  };
  // The pooler keeps no named statements.
  const environment = isPooled ? { PARLEY_DATABASE_NAMED_STATEMENTS: 'false' } : {};
  const options = { bots: telegramBots, log, through, environment, ...(tree === undefined ? {} : { tree }) };
  return await withGroup(options, async (group) => {
    const { stage } = group;
    if (pair === null) throw new Error('There is no way to the database');
    const { url } = pair;
    await stage.model.setPace({ before: [20, 200], writing: [200, 1500], chunks: 6 });
    await Promise.all([0, 1].map((place) => group.start(place)));
    const everyone = await Everyone.enter(group, sizes.conversations);
    const end = new AbortController();
    const load = everyone.askUntil(sizes.rate, end.signal);
    const back: Record<string, number> = {};
    const began = new Date().toISOString();
    const faults: [name: string, happen: (pair: Pair) => Promise<void>][] = [
      ['away', (it) => it.goAway()],
      ['restarted', (it) => it.restart('stop')],
      ['crashed', (it) => it.restart('crash')],
      ['failed over', (it) => it.failOver()],
    ];
    try {
      for (const [name, happen] of faults) {
        await delay(5000);
        const from = present();
        await happen(pair);
        back[name] = round(await ready(group), 1);
        log(`${name}: ready again after ${back[name]} s`);
        stage.incidents.push({ from, until: present(), process: null });
      }
      await delay(5000);
    } finally {
      end.abort();
      await load;
    }
    const { problems, verdict: _, ...figures } = await everyone.judge(sizes.patience);
    await everyone.close();
    const taken = await queryDatabase(
      url,
      `select id from replicas where ended_by is not null and ended_by <> id and ended_at > '${began}'`,
    );
    if (taken.length > 0) problems.push(`${taken.length} processes were taken over`);
    const late = Object.entries(back).flatMap(([name, seconds]) =>
      seconds > limit ? [`${name}: ready again after ${seconds} s`] : [],
    );
    return { figures: { ...figures, takeovers: taken.length, back_s: back }, problems, late };
  });
}

/** Takes the database away from all processes: none takes over from another one. */
export const database: ReplicaScenario = {
  summary: 'Two processes whose database is away for 20 s, is restarted, crashes, and fails over to its standby.',
  run: (options) => run(options, { isPooled: false }),
};

/** As {@link database}. */
export const pooler: ReplicaScenario = {
  summary: 'The same as database, behind a pooler of transactions.',
  run: (options) => run(options, { isPooled: true }),
};
