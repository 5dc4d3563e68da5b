import { cleanup, configure } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, vi } from 'vitest';
import { loadPageTexts } from '../src/lib/i18n.ts';
import { session } from '../src/lib/session.ts';

/** Before each test of the console: a DOM without leftovers, and the English texts. */

// React then expects that its updates are awaited, and warns of those that are not.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

// What is waited for may take its time on a machine that is busy.
configure({ asyncUtilTimeout: 10_000 });

beforeEach(async () => {
  await i18next.changeLanguage('en');
  await loadPageTexts();
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  // Files of tests share modules, which remember the session and secrets.
  session.end();
  localStorage.clear();
});
