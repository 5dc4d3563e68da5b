import { Check, Default } from 'typebox/value';
import { expect } from 'vitest';
import type { LoginStep } from '../../../src/platform-login.ts';
import type { FakePlatform } from '../fake-platform.ts';
import { casesOf } from '../platform-case.ts';
import type { PlatformFacts } from '../platform-facts.ts';
import type { Stage } from '../stage.ts';

const needsLogin = ({ implementation }: PlatformFacts) => implementation.login !== undefined;

/** Signs in; the user acts after the first step. @returns all steps */
async function signIn(stage: Stage, ...actions: Parameters<FakePlatform['signIn']>[0][]): Promise<LoginStep[]> {
  const steps: LoginStep[] = [];
  for await (const step of stage.login(new AbortController().signal)) {
    steps.push(step);
    if (steps.length === 1) for (const action of actions) stage.fake.signIn(action);
  }
  return steps;
}

const statesOf = (steps: LoginStep[]) => steps.map(({ state }) => state).filter((state) => state !== 'confirming');

export const logInCases = casesOf('log-in', [
  {
    name: 'signed in',
    needs: needsLogin,
    run: async (stage) => {
      const steps = await signIn(stage, 'scan', 'confirm');
      expect(statesOf(steps)).toEqual(['waiting', 'done']);
      const [first] = steps;
      expect(first?.state === 'waiting' && URL.canParse(first.url)).toBe(true);
      expect(first?.state === 'waiting' && Date.parse(first.expires_at)).toBeGreaterThan(stage.fake.now());
      const done = steps.at(-1);
      const fields = done?.state === 'done' ? done.config : {};
      const config = Default(stage.facts.platform.config, { ...stage.config, ...fields });
      expect(Check(stage.facts.platform.config, config)).toBe(true);
      expect(Object.keys(fields)).not.toEqual([]);
    },
  },
  {
    name: 'sign-in is refused by the user',
    needs: needsLogin,
    run: async (stage) => expect(statesOf(await signIn(stage, 'refuse'))).toEqual(['waiting', 'refused']),
  },
  {
    name: 'sign-in expires',
    needs: needsLogin,
    run: async (stage) => expect(statesOf(await signIn(stage, 'expire'))).toEqual(['waiting', 'expired']),
  },
  {
    name: 'platform wants to be asked more slowly',
    needs: needsLogin,
    run: async (stage) =>
      expect(statesOf(await signIn(stage, 'slow_down', 'scan', 'confirm'))).toEqual(['waiting', 'done']),
  },
  {
    name: 'sign-in is cancelled',
    needs: needsLogin,
    run: async (stage) => {
      const cancel = new AbortController();
      const steps: LoginStep[] = [];
      try {
        for await (const step of stage.login(cancel.signal)) {
          steps.push(step);
          cancel.abort(new Error('cancelled'));
        }
      } catch {
        // It may throw the signal's reason.
      }
      expect(statesOf(steps)).toEqual(['waiting']);
      const before = stage.fake.calls('any');
      await stage.pass(50);
      expect(stage.fake.calls('any')).toBe(before);
    },
  },
  {
    name: 'signed in twice',
    needs: needsLogin,
    run: async (stage) => {
      expect(statesOf(await signIn(stage, 'scan', 'confirm'))).toEqual(['waiting', 'done']);
      expect(statesOf(await signIn(stage, 'scan', 'confirm'))).toEqual(['waiting', 'done']);
    },
  },
]);
