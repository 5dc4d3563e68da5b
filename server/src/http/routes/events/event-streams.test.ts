import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { StateEvents } from '../../../core/events/state-events.ts';
import { EventStreams, type StreamOptions } from './event-streams.ts';

const beat = 15_000;

let events: StateEvents;
let streams: EventStreams;
let server: Server;
let options: StreamOptions;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  events = new StateEvents();
  streams = new EventStreams(events);
  options = { types: null, lastEventId: null };
  server = createServer((_request, response) => {
    response.writeHead(200);
    streams.open(response, options);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  vi.useRealTimers();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

/** Opens a stream. `text` grows with what is read of it. */
async function open(over: Partial<StreamOptions> = {}) {
  options = { ...options, ...over };
  const { port } = server.address() as AddressInfo;
  const asked = request({ port, host: '127.0.0.1' }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const client = { text: '', ended: false, response };
  response.setEncoding('utf8');
  response.on('data', (text: string) => {
    client.text += text;
  });
  response.on('error', () => {});
  response.on('close', () => {
    client.ended = true;
  });
  return client;
}

const publish = (number: number, more: object = {}) => events.publish({ type: 'task', data: { number, ...more } });
const numbersIn = (text: string) => [...text.matchAll(/"number":(\d+)/g)].map(([, number]) => Number(number));
const idsIn = (text: string) => [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id);

it('tells of events as they happen', async () => {
  const client = await open();
  await vi.waitFor(() => expect(idsIn(client.text)).toEqual([events.latestId]));
  expect(client.text).toMatch(/^retry: 3000\n\n/);
  publish(1);
  await vi.waitFor(() => expect(numbersIn(client.text)).toEqual([1]));
  const [id, type, data] = client.text.split('\n').slice(-5);
  expect([id, type]).toEqual([`id: ${events.latestId}`, 'event: task']);
  expect(data).toMatch(/^data: \{"number":1,"created_at":".*Z"\}$/);
});

it('goes on after the last event that the client has', async () => {
  publish(1);
  const last = events.latestId;
  publish(2);
  publish(3);
  const client = await open({ lastEventId: last });
  await vi.waitFor(() => expect(numbersIn(client.text)).toEqual([2, 3]));
  publish(4);
  await vi.waitFor(() => expect(numbersIn(client.text)).toEqual([2, 3, 4]));
  expect(client.text).not.toContain('resync');
});

it('sends `resync` to a client that was disconnected for too long, and continues from there', async () => {
  publish(1);
  const client = await open({ lastEventId: 'of-another-run' });
  await vi.waitFor(() => expect(client.text).toContain(`id: ${events.latestId}\nevent: resync\ndata: {}\n\n`));
  publish(2);
  await vi.waitFor(() => expect(numbersIn(client.text)).toEqual([2]));
});

it('skips types that were not requested, but advances past them', async () => {
  const client = await open({ types: new Set(['bot']) });
  publish(1);
  events.publish({ type: 'bot', data: { number: 2 } });
  publish(3);
  await vi.waitFor(() => expect(numbersIn(client.text)).toEqual([2]));
  vi.advanceTimersByTime(beat);
  await vi.waitFor(() => expect(idsIn(client.text).at(-1)).toBe(events.latestId));
  expect(numbersIn(client.text)).toEqual([2]);
});

it('writes no event in more than one line, whatever is in it', async () => {
  const client = await open();
  publish(1, { name: 'a\nevent: forged\n\ndata: {}\r\n\u2028' });
  await vi.waitFor(() => expect(numbersIn(client.text)).toEqual([1]));
  expect(client.text.match(/^event: .*$/gm)).toEqual(['event: task']);
});

it('holds nothing for a client that does not read, tells it all when it does, and cuts it off when it never does', async () => {
  const client = await open();
  await vi.waitFor(() => expect(client.text).not.toBe(''));
  client.response.pause();
  const filling = 'x'.repeat(10_000);
  for (let number = 1; number <= 5000; number += 1) publish(number, { filling });
  vi.advanceTimersByTime(beat);
  client.response.resume();
  await vi.waitFor(() => expect(numbersIn(client.text).at(-1)).toBe(5000), { timeout: 20_000 });
  expect(numbersIn(client.text)).toEqual(Array.from({ length: 5000 }, (_, index) => index + 1));

  client.response.pause();
  for (let number = 1; number <= 5000; number += 1) publish(number, { filling });
  vi.advanceTimersByTime(2 * beat);
  client.response.resume();
  await vi.waitFor(() => expect(client.ended).toBe(true));
  expect(client.response.complete).toBe(false);
});

it('sends `resync` to a slow client when the log has moved on', async () => {
  const client = await open();
  client.response.pause();
  const filling = 'x'.repeat(1000);
  for (let number = 1; number <= 25_000; number += 1) publish(number, { filling });
  client.response.resume();
  await vi.waitFor(() => expect(client.text).toContain('event: resync'), { timeout: 20_000 });
  publish(25_001);
  await vi.waitFor(() => expect(numbersIn(client.text).at(-1)).toBe(25_001));
});

it('shows signs of life', async () => {
  const client = await open();
  vi.advanceTimersByTime(beat);
  await vi.waitFor(() => expect(client.text.match(/^: still here$/gm)).toHaveLength(1));
  vi.advanceTimersByTime(beat);
  await vi.waitFor(() => expect(client.text.match(/^: still here$/gm)).toHaveLength(2));
});

it('ends all streams at a stop, also unread ones', async () => {
  const [reader, deaf] = [await open(), await open()];
  deaf.response.pause();
  for (let number = 1; number <= 5000; number += 1) publish(number, { filling: 'x'.repeat(10_000) });
  await vi.waitFor(() => expect(numbersIn(reader.text).at(-1)).toBe(5000), { timeout: 20_000 });
  streams.close();
  await vi.waitFor(() => expect(reader.ended).toBe(true));
  deaf.response.resume();
  await vi.waitFor(() => expect(deaf.ended).toBe(true));
  expect(vi.getTimerCount()).toBe(0);
  publish(1);
});
