import i18next from 'i18next';
import { accountStorage } from './account-storage.ts';
import { notify } from './notify.ts';
import { tabId } from './tab-id.ts';

const prefix = 'tab:';
/** What this tab has under a name now. */
const held = new Map<string, unknown>();
/** The key of another tab's item that this tab continues, by name. */
const continued = new Map<string, string>();
let isListening = false;
let hasWarned = false;

/**
 * Unsaved input of the signed-in account, by name. Each tab has its own, so that tabs do not overwrite each other's; it
 * survives reloads. A tab without one continues the newest of the others: that tab may be closed.
 */
export const tabItems = {
  read(name: string): unknown {
    const own = accountStorage.get(keyOf(name));
    if (own !== undefined) return own;
    const other = accountStorage.keys(prefix).find((key) => nameIn(key) === name);
    if (other === undefined) return undefined;
    continued.set(name, other);
    return accountStorage.get(other);
  },

  /** Not before the user changes something: until then, another tab's item stays as it is. */
  write(name: string, value: unknown): void {
    takeOver(name);
    held.set(name, value);
    listen();
    if (accountStorage.set(keyOf(name), value) || hasWarned || !accountStorage.isOpen()) return;
    hasWarned = true;
    notify.warn(i18next.t('common.notKept'));
  },

  /** Removes it: it was saved, sent or discarded. */
  remove(name: string): void {
    takeOver(name);
    held.delete(name);
    accountStorage.remove(keyOf(name));
  },

  /** This tab does not show it any more. It stays, until another tab continues it. */
  release(name: string): void {
    held.delete(name);
    continued.delete(name);
  },
};

/** Removes the item of another tab. If that tab still shows it, it stores it again. */
function takeOver(name: string): void {
  const other = continued.get(name);
  if (other !== undefined) accountStorage.remove(other);
  continued.delete(name);
}

function listen(): void {
  if (isListening) return;
  isListening = true;
  accountStorage.subscribe((key) => {
    const name = nameIn(key);
    if (key !== keyOf(name) || !held.has(name) || accountStorage.get(key) !== undefined) return;
    // Without removing items of other tabs, which would do the same.
    accountStorage.set(key, held.get(name), { makesRoom: false });
  });
}

function keyOf(name: string): string {
  return `${prefix}${tabId}:${name}`;
}

function nameIn(key: string): string {
  return key.slice(key.indexOf(':', prefix.length) + 1);
}
