import { expect } from 'vitest';
import { ParleyError } from '../../../src/errors.ts';
import { failureOf, RecordedProgress } from '../outgoing.ts';
import { casesOf } from '../platform-case.ts';

export const credentialCases = casesOf('credentials', [
  {
    name: 'token expires in use',
    run: async (stage) => {
      await stage.start();
      const message = await stage.outgoing('Hello');
      stage.fake.expireToken();
      await stage.adapter.send(message, new RecordedProgress());
      expect(stage.texts()).toEqual(['Hello']);
    },
  },
  {
    name: 'token is refreshed once for many callers',
    run: async (stage) => {
      await stage.start();
      const chats = [stage.fake.person(), stage.fake.group()];
      const messages = await Promise.all(chats.map((to) => stage.outgoing('Hello', { to })));
      stage.fake.expireToken();
      const before = stage.fake.calls('token');
      const typing = stage.adapter.showTyping?.bind(stage.adapter);
      const others = typing === undefined ? [] : messages.map(({ target }) => typing(target));
      await Promise.all([...messages.map((message) => stage.adapter.send(message, new RecordedProgress())), ...others]);
      expect(stage.fake.calls('token') - before).toBe(1);
      expect(stage.texts()).toEqual(['Hello', 'Hello']);
    },
  },
  {
    name: 'wrong credentials at the start',
    run: async (stage) => {
      stage.fake.revoke();
      const failure = await stage.start().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ParleyError);
      expect((failure as ParleyError).reason).toBe('platform_unauthorized');
    },
  },
  {
    name: 'platform cannot be reached at the start',
    run: async (stage) => {
      await stage.goAway();
      const failure = await stage.start().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(Error);
      expect(['platform_unauthorized', 'invalid_request'], 'reasons that are not retried').not.toContain(
        (failure as ParleyError).reason,
      );
      await stage.fake.comeBack();
      await stage.stop();
      stage.create();
      await stage.start();
    },
  },
  {
    name: 'credentials are revoked in use',
    run: async (stage) => {
      await stage.start();
      const message = await stage.outgoing('Hello');
      stage.fake.revoke();
      const failure = await failureOf(stage.adapter.send(message, new RecordedProgress()));
      expect(failure.kind).not.toBe('unknown');
      expect(stage.texts()).toEqual([]);
    },
  },
  {
    name: 'missing permission is named',
    run: async (stage) => {
      await stage.start();
      const message = await stage.outgoing('Hello');
      stage.fake.fail('send', 'missing_permission');
      const failure = await failureOf(stage.adapter.send(message, new RecordedProgress()));
      expect(failure.kind).toBe('refused');
      expect(failure.message).toMatch(/permission|scope|intent|right/i);
    },
  },
  {
    name: 'no secret is shown in a failure',
    run: async (stage) => {
      await stage.start();
      for (const how of ['refused', 'server_error', 'wrong_body', 'cut'] as const) {
        const message = await stage.outgoing('Hello');
        stage.fake.fail('send', how);
        await stage.adapter.send(message, new RecordedProgress()).catch(() => undefined);
      }
      await stage.stop();
      await stage.goAway();
      stage.create();
      await stage.start().catch(() => undefined);
      await stage.fake.comeBack();
      stage.fake.revoke();
      await stage.stop();
      stage.create();
      await stage.start().catch(() => undefined);
    },
  },
  {
    name: 'connection test names the account',
    needs: ({ implementation }) => implementation.test !== undefined,
    run: async (stage) => {
      const account = await stage.test();
      expect(account.id).toBe(stage.fake.accountId);
    },
  },
  {
    name: 'connection test of wrong credentials',
    needs: ({ implementation }) => implementation.test !== undefined,
    run: async (stage) => {
      stage.fake.revoke();
      const failure = await stage.test().catch((error: unknown) => error);
      expect((failure as ParleyError).reason).toBe('platform_unauthorized');
    },
  },
  {
    name: 'connection test does not disturb the bot',
    needs: ({ implementation }) => implementation.test !== undefined,
    run: async (stage) => {
      await stage.start();
      await stage.test();
      await stage.ask({ text: 'Hello' });
      expect(stage.messages).toHaveLength(1);
      expect(stage.context.reports.filter(({ state }) => state !== 'connected')).toEqual([]);
    },
  },
]);
