import { accountStorage } from '../../lib/account-storage.ts';
import type { Found } from './searches.ts';

/** Something that was opened from the palette. */
export interface RecentFind extends Found {
  /** The page that the account must be allowed to open. */
  page: string;
}

const key = 'palette:recent';
const most = 6;

/** What the signed-in account opened last, latest first. Kept in this browser until sign-out. */
export const recentFinds = {
  read(): RecentFind[] {
    const stored = accountStorage.get(key);
    return Array.isArray(stored) ? stored.filter(isFind).slice(0, most) : [];
  },
  add({ id, name, to, search, page }: RecentFind): void {
    const others = recentFinds.read().filter((one) => one.to !== to || one.id !== id);
    const find = { id, name, to, page, ...(search === undefined ? {} : { search }) };
    accountStorage.set(key, [find, ...others].slice(0, most));
  },
};

function isFind(value: unknown): value is RecentFind {
  if (typeof value !== 'object' || value === null) return false;
  const { id, name, to, page, search = {} } = value as Record<string, unknown>;
  return (
    [id, name, to, page].every((text) => typeof text === 'string') &&
    String(to).startsWith('/') &&
    typeof search === 'object' &&
    search !== null &&
    Object.values(search).every((text) => typeof text === 'string')
  );
}
