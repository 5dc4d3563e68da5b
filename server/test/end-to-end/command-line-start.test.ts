import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runParley, spawnParley } from '../factories/run-parley.ts';
import { enginesTried, looksClosely } from '../shared/looks-closely.ts';
import { sharedResource } from '../shared/shared-resource.ts';
import { makeMigratedPlace, type StoragePlace } from '../stores/open-test-storage.ts';
import { defaults, openChat, signedIn } from './api-client.ts';

beforeAll(() => Promise.all([sharedResource('commandLine'), sharedResource('console')]), 120_000);

describe.each(enginesTried)('the service that was built, on %s', { timeout: 60_000 }, (engine) => {
  let place: StoragePlace;
  const ends: (() => Promise<unknown>)[] = [];
  beforeEach(async () => {
    place = await makeMigratedPlace(engine);
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
    await place.remove();
  });

  /** Starts it and waits for what it says. */
  const start = async (args: string[]) => {
    const child = spawnParley(args, { place });
    child.stdin.end();
    const ended = once(child, 'close');
    const stop = async () => {
      child.kill('SIGTERM');
      const [code] = await ended;
      return code;
    };
    ends.push(stop);
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    let complaint = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint += text;
    });
    const state = () => (child.exitCode === null ? said : `ended: ${said}${complaint}`);
    await expect.poll(state, { timeout: 20_000 }).toMatch(/\n$/);
    return { child, stop, said: () => said };
  };

  it('answers as that of `npm start` does, and stops on a signal', async () => {
    const { stop, said } = await start(['start', '--json']);
    const { address, setup_token, setup_link } = JSON.parse(said());
    expect(setup_token).toMatch(/^[\w-]{32}$/);
    expect(setup_link).toBe(`${address}/set-up#token=${setup_token}`);
    expect(await (await fetch(`${address}/`)).text()).toContain('<div id="root">');
    const document = await (await fetch(`${address}/api/v1/openapi.json`)).json();
    const expected = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'));
    expect(Object.keys(document.paths)).toEqual(Object.keys(expected.paths));
    const api = await signedIn(address, setup_token);
    const { pipeline } = await defaults(api);
    const chat = await openChat(address, { pipeline, headers: { authorization: `Bearer ${api.token}` } });
    chat.say('Hello');
    await chat.answer('> Hello');
    expect(await stop()).toBe(0);
    await expect(fetch(address)).rejects.toThrow();
  });

  it.runIf(looksClosely)('runs in the process that was started, with little memory for what is young', async () => {
    const { child, said } = await start(['start']);
    // The two lines may come apart.
    await expect
      .poll(said)
      .toMatch(
        /^(?:Database prepared, \d+ migrations applied\n)?Parley is ready at (http:\/\/127\.0\.0\.1:\d+)\nCreate the first account: \1\/set-up#token=[\w-]{32}\n$/,
      );
    if (process.platform !== 'linux') return;
    const command = readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').split('\0');
    expect(command).toEqual(expect.arrayContaining(['--max-semi-space-size=8', '--expose-gc', 'start']));
  });

  it.runIf(looksClosely)('says why it cannot start', async () => {
    await start(['start']);
    const message = `The data directory ${place.dataDir} is in use by another Parley process`;
    expect(await runParley(['start'], { place })).toEqual({ code: 1, stdout: '', stderr: `${message}\n` });
    const { code, stdout } = await runParley(['start', '--json'], { place });
    expect({ code, error: JSON.parse(stdout).error }).toEqual({ code: 1, error: { reason: 'failed', message } });
    const wrong = await runParley(['start', '--json'], { place, environment: { PARLEY_PORT: 'many' } });
    expect(wrong.code).toBe(1);
    expect(JSON.parse(wrong.stdout).error).toMatchObject({
      reason: 'invalid_configuration',
      details: ['PARLEY_PORT must be a whole number from 0 to 65535, not "many"'],
    });
  });
});
