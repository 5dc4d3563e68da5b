import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { accountStorage } from './account-storage.ts';

const day = 24 * 3_600_000;

beforeEach(() => accountStorage.use('ada'));

/** All keys in the browser. */
const allKeys = () => Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index)).sort();

function setClock(time: string) {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(time);
}

/** What another tab does. */
function inAnotherTab(key: string, text: string | null) {
  if (text === null) localStorage.removeItem(key);
  else localStorage.setItem(key, text);
  window.dispatchEvent(new StorageEvent('storage', { key, newValue: text }));
}

describe('the storage of an account', () => {
  it('returns what was stored, until it is removed', () => {
    expect(accountStorage.get('note')).toBeUndefined();
    expect(accountStorage.set('note', { text: 'hello', count: 2 })).toBe(true);
    expect(accountStorage.set('note', { text: 'hello again' })).toBe(true);
    expect(accountStorage.get('note')).toEqual({ text: 'hello again' });
    accountStorage.remove('note');
    expect(accountStorage.get('note')).toBeUndefined();
    expect(allKeys()).toEqual(['kept-account']);
  });

  it('has the account in the name of each item', () => {
    accountStorage.set('chat:p1', 'hello');
    expect(allKeys()).toEqual(['kept-account', 'kept:ada:chat:p1']);
  });

  it('lists keys by their prefix', () => {
    for (const key of ['chat:p1:a', 'chat:p1:b', 'chat:p2:a']) accountStorage.set(key, true);
    expect(accountStorage.keys('chat:p1:').sort()).toEqual(['chat:p1:a', 'chat:p1:b']);
    expect(accountStorage.keys('form:')).toEqual([]);
  });

  it('outlives a page, for the same account', () => {
    accountStorage.set('note', 'hello');
    accountStorage.use('ada');
    expect(accountStorage.get('note')).toBe('hello');
  });

  it('is empty after signing out, for every account', () => {
    localStorage.setItem('theme', 'dark');
    localStorage.setItem('kept:bob:note', '{"at":0,"value":1}');
    accountStorage.set('note', 'hello');
    accountStorage.clear();
    expect(allKeys()).toEqual(['theme']);
    accountStorage.use('ada');
    expect(accountStorage.get('note')).toBeUndefined();
  });

  it('stores nothing while the account is not known', () => {
    accountStorage.clear();
    expect(accountStorage.set('note', 'hello')).toBe(false);
    expect(accountStorage.get('note')).toBeUndefined();
    expect(accountStorage.keys('')).toEqual([]);
    expect(allKeys()).toEqual([]);
  });
});

describe('another account of the same browser', () => {
  it.each([
    ['another name', 'bob'],
    ['a name that begins alike', 'ada:chat'],
    ['a name that is shorter', 'a'],
    ['the name in capitals', 'ADA'],
    ['no name', ''],
  ])('with %s finds nothing, and what was left is removed', (_, other) => {
    accountStorage.set('chat:note', 'hello');
    accountStorage.use(other);
    expect(accountStorage.get('chat:note')).toBeUndefined();
    expect(accountStorage.get('note')).toBeUndefined();
    expect(accountStorage.keys('')).toEqual([]);
    expect(allKeys()).toEqual(['kept-account']);
  });

  it('does not get what a page of the first one still stores', () => {
    inAnotherTab('kept-account', 'bob');
    expect(accountStorage.set('note', 'hello')).toBe(false);
    expect(accountStorage.get('note')).toBeUndefined();
    accountStorage.remove('note');
    expect(allKeys()).toEqual(['kept-account']);
  });
});

describe('another tab', () => {
  it('that signed out ends storing in this one', () => {
    accountStorage.set('note', 'hello');
    for (const key of allKeys()) inAnotherTab(`${key}`, null);
    expect(accountStorage.set('note', 'hello')).toBe(false);
    expect(allKeys()).toEqual([]);
  });

  it('is noticed when it sets and removes items of the account', () => {
    const keys: string[] = [];
    const unsubscribe = accountStorage.subscribe((key) => keys.push(key));
    onTestFinished(unsubscribe);
    inAnotherTab('kept:ada:note', '{"at":1,"value":1}');
    inAnotherTab('kept:ada:note', null);
    inAnotherTab('kept:bob:note', '{"at":1,"value":1}');
    inAnotherTab('theme', 'dark');
    window.dispatchEvent(new StorageEvent('storage', { key: null }));
    expect(keys).toEqual(['note', 'note']);
    unsubscribe();
    inAnotherTab('kept:ada:note', null);
    expect(keys).toHaveLength(2);
  });
});

describe('an old item', () => {
  it('is forgotten after 30 days', () => {
    setClock('2026-05-01T00:00:00Z');
    accountStorage.set('note', 'hello');
    vi.setSystemTime(Date.now() + 30 * day - 1);
    expect(accountStorage.get('note')).toBe('hello');
    vi.setSystemTime(Date.now() + 1);
    expect(accountStorage.get('note')).toBeUndefined();
    accountStorage.use('ada');
    expect(allKeys()).toEqual(['kept-account']);
  });

  it('stays when it comes from a clock that is ahead', () => {
    setClock('2026-05-01T01:00:00Z');
    accountStorage.set('note', 'hello');
    vi.setSystemTime('2026-05-01T00:00:00Z');
    expect(accountStorage.get('note')).toBe('hello');
  });
});

describe('too many items', () => {
  const large = 'x'.repeat(900_000);

  it('push out the oldest', () => {
    setClock('2026-05-01T00:00:00Z');
    for (const key of ['first', 'second']) {
      accountStorage.set(key, large);
      vi.setSystemTime(Date.now() + 1000);
    }
    // Setting it again makes it the newest.
    expect(accountStorage.set('first', large)).toBe(true);
    vi.setSystemTime(Date.now() + 1000);
    expect(accountStorage.set('third', large)).toBe(true);
    expect(accountStorage.keys('').sort()).toEqual(['first', 'third']);
  });

  it('push out damaged ones before any other', () => {
    localStorage.setItem('kept:ada:damaged', large);
    accountStorage.set('first', large);
    accountStorage.set('second', large);
    expect(accountStorage.keys('').sort()).toEqual(['first', 'second']);
  });

  it('do not include one that never fits, whose previous value stays', () => {
    accountStorage.set('other', 'hello');
    accountStorage.set('note', 'short');
    expect(accountStorage.set('note', 'x'.repeat(2_000_000))).toBe(false);
    expect(accountStorage.get('note')).toBe('short');
    expect(accountStorage.get('other')).toBe('hello');
  });
});

describe('a browser', () => {
  it('whose storage is full keeps what it has', () => {
    accountStorage.set('note', 'hello');
    const real = localStorage;
    vi.stubGlobal('localStorage', {
      length: real.length,
      key: (index: number) => real.key(index),
      getItem: (key: string) => real.getItem(key),
      setItem() {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      },
    });
    expect(accountStorage.set('note', 'longer')).toBe(false);
    expect(accountStorage.get('note')).toBe('hello');
  });

  it('that forbids storage breaks nothing', () => {
    vi.stubGlobal(
      'localStorage',
      new Proxy(
        {},
        {
          get() {
            throw new DOMException('Access is denied for this document.', 'SecurityError');
          },
        },
      ),
    );
    accountStorage.use('ada');
    expect(accountStorage.set('note', 'hello')).toBe(false);
    expect(accountStorage.get('note')).toBeUndefined();
    expect(accountStorage.keys('')).toEqual([]);
    accountStorage.remove('note');
    accountStorage.clear();
  });

  it.each(['', 'no JSON', 'null', '[]', '"text"', '{"value":1}', '{"at":"today","value":1}', '{"at":null}'])(
    'with %j in the place of an item has none',
    (text) => {
      localStorage.setItem('kept:ada:note', text);
      expect(accountStorage.get('note')).toBeUndefined();
      expect(accountStorage.set('note', 'hello')).toBe(true);
      expect(accountStorage.get('note')).toBe('hello');
    },
  );
});

it('a value that JSON cannot express is not stored', () => {
  expect(accountStorage.set('note', 1n)).toBe(false);
  expect(accountStorage.keys('')).toEqual([]);
});
