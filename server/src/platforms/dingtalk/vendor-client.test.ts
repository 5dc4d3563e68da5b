import axios from 'axios';
import { DWClient, TOPIC_ROBOT } from 'dingtalk-stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FakeDingTalk } from './testing/fake-dingtalk.ts';

let fake: FakeDingTalk;
let client: DWClient;
let redirection: number;
beforeEach(async () => {
  vi.spyOn(console, 'info').mockReturnValue();
  fake = await FakeDingTalk.start();
  // The addresses of the client are constants, but it makes its calls with the default instance of axios.
  redirection = axios.interceptors.request.use((request) => {
    const { pathname, search, hostname } = new URL(request.url ?? '', fake.api.url);
    expect(hostname).toMatch(/^(127\.0\.0\.1|o?api\.dingtalk\.com)$/);
    request.url = fake.api.url + pathname + search;
    return request;
  });
});
afterEach(async () => {
  client.disconnect();
  axios.interceptors.request.eject(redirection);
  await fake.close();
});

it('exchanges messages with the fake over a stream connection', async () => {
  const { client_id: clientId, client_secret: clientSecret } = fake.config() as Record<string, string>;
  client = new DWClient({ clientId: clientId ?? '', clientSecret: clientSecret ?? '' });
  const received: string[] = [];
  client.registerCallbackListener(TOPIC_ROBOT, async ({ headers, data }) => {
    const { text, sessionWebhook } = JSON.parse(data);
    received.push(text.content);
    const token = await client.getAccessToken();
    const answer = { msgtype: 'text', text: { content: 'Good day' } };
    const { data: result } = await axios.post(sessionWebhook, answer, {
      headers: { 'x-acs-dingtalk-access-token': token },
    });
    client.socketCallBackResponse(headers.messageId, result);
  });
  await client.connect();
  await expect.poll(() => client.registered).toBe(true);
  const { outcome } = await fake.deliver({ text: 'Hello 你好' });
  expect(outcome).toBe('acknowledged');
  expect(received).toEqual(['Hello 你好']);
  expect(fake.sent()).toMatchObject([{ text: 'Good day', chat: fake.person() }]);
  expect(fake.violations()).toEqual([]);
});
