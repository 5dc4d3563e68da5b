/**
 * What the signed-in account wrote and has not saved or sent, kept in this browser over reloads. Never for secrets.
 * Without storage (disabled, full, or its account unknown), nothing is read and `set` is false.
 */

const prefix = 'kept:';
/** Item with the name of the account. Signing out removes it, after which other tabs neither read nor write. */
const accountKey = 'kept-account';
/** Of all items with their keys, in characters: browsers allow about five million for the whole origin. */
const totalLimit = 2_000_000;
const longestAge = 30 * 24 * 3_600_000;

interface Item {
  /** When it was stored, milliseconds since 1970. */
  at: number;
  value: unknown;
}

let current: string | null = null;

export const accountStorage = {
  /** Names the signed-in account, and removes the items of others and expired ones. */
  use(account: string): void {
    current = account;
    attempt(() => {
      for (const key of storedKeys()) {
        if (!key.startsWith(prefixOf(account)) || readItem(key) === undefined) localStorage.removeItem(key);
      }
      localStorage.setItem(accountKey, account);
    }, undefined);
  },

  /** The stored value; undefined if there is none, or it is damaged or older than 30 days. */
  get(key: string): unknown {
    return attempt(() => {
      const own = ownPrefix();
      return own === undefined ? undefined : readItem(own + key)?.value;
    }, undefined);
  },

  /**
   * Stores a value as JSON, in the place of the previous one. If all values together become too large, the oldest ones
   * are removed.
   * @param makesRoom false: it is not stored if others would be removed
   * @returns false if it could not be stored; the previous value stays
   */
  set(key: string, value: unknown, { makesRoom = true } = {}): boolean {
    return attempt(() => {
      const own = ownPrefix();
      if (own === undefined) return false;
      const item: Item = { at: Date.now(), value };
      const text = JSON.stringify(item);
      if (!makeRoom(own + key, text, makesRoom)) return false;
      localStorage.setItem(own + key, text);
      return true;
    }, false);
  },

  remove(key: string): void {
    attempt(() => {
      const own = ownPrefix();
      if (own !== undefined) localStorage.removeItem(own + key);
    }, undefined);
  },

  /** Whether there is a storage and an account that it is for. */
  isOpen: () => attempt(() => ownPrefix() !== undefined, false),

  /** The keys that begin with a prefix, the newest first. */
  keys(wanted: string): string[] {
    return attempt(() => {
      const own = ownPrefix();
      if (own === undefined) return [];
      return storedKeys()
        .filter((key) => key.startsWith(own + wanted))
        .map((key) => ({ key, at: readItem(key)?.at ?? 0 }))
        .sort((one, other) => other.at - one.at)
        .map(({ key }) => key.slice(own.length));
    }, []);
  },

  /** Removes the items of every account: for signing out. */
  clear(): void {
    current = null;
    attempt(() => {
      // First: other tabs store again what is removed of theirs while the account is known.
      localStorage.removeItem(accountKey);
      for (const key of storedKeys()) localStorage.removeItem(key);
    }, undefined);
  },

  /**
   * Calls the listener with each key that another tab of the account sets or removes.
   * @returns a function that ends this
   */
  subscribe(listener: (key: string) => void): () => void {
    const onStorage = ({ key }: StorageEvent) => {
      const own = attempt(ownPrefix, undefined);
      if (own !== undefined && key?.startsWith(own)) listener(key.slice(own.length));
    };
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  },
};

/** Each access may throw: browsers can forbid storage, and it may be full. */
function attempt<Result>(action: () => Result, otherwise: Result): Result {
  try {
    return action();
  } catch {
    return otherwise;
  }
}

/** Names may contain the separator. */
function prefixOf(account: string): string {
  return `${prefix}${encodeURIComponent(account)}:`;
}

/** Undefined without an account, and when another tab signed out or signed in with another account. */
function ownPrefix(): string | undefined {
  return current === null || localStorage.getItem(accountKey) !== current ? undefined : prefixOf(current);
}

function storedKeys(): string[] {
  const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index));
  return keys.filter((key) => key?.startsWith(prefix) === true) as string[];
}

/** Undefined if there is none, or it is damaged or expired. */
function readItem(key: string): Item | undefined {
  const text = localStorage.getItem(key);
  if (text === null) return undefined;
  try {
    const item = JSON.parse(text) as Item | null;
    return typeof item?.at === 'number' && Date.now() - item.at < longestAge ? item : undefined;
  } catch {
    return undefined;
  }
}

/** Removes the oldest other items, if it may, until a new one fits; false if it does not. */
function makeRoom(key: string, text: string, mayRemove: boolean): boolean {
  if (key.length + text.length > totalLimit) return false;
  const others = storedKeys().filter((other) => other !== key);
  const sizes = new Map(others.map((other) => [other, other.length + (localStorage.getItem(other)?.length ?? 0)]));
  let total = key.length + text.length + [...sizes.values()].reduce((sum, size) => sum + size, 0);
  if (total <= totalLimit) return true;
  if (!mayRemove) return false;
  const ages = new Map(others.map((other) => [other, readItem(other)?.at ?? 0]));
  for (const other of others.sort((one, next) => (ages.get(one) ?? 0) - (ages.get(next) ?? 0))) {
    if (total <= totalLimit) break;
    localStorage.removeItem(other);
    total -= sizes.get(other) ?? 0;
  }
  return true;
}
