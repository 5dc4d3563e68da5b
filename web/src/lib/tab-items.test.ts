import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { accountStorage } from './account-storage.ts';
import { notify } from './notify.ts';
import { tabItems } from './tab-items.ts';

beforeEach(() => {
  localStorage.clear();
  accountStorage.use('ada');
  for (const name of ['form', 'other']) tabItems.release(name);
});

/** Names of the account's items, without the tab. */
const items = () => accountStorage.keys('tab:').sort();
const ofAnotherTab = 'tab:00000000000000000000000000000000:form';

/** What another tab does. */
function removeInAnotherTab(key: string) {
  accountStorage.remove(key);
  window.dispatchEvent(new StorageEvent('storage', { key: `kept:ada:${key}`, newValue: null }));
}

describe('input of a tab', () => {
  it('is its own', () => {
    accountStorage.set(ofAnotherTab, 'theirs');
    tabItems.write('form', 'mine');
    expect(tabItems.read('form')).toBe('mine');
    expect(accountStorage.get(ofAnotherTab)).toBe('theirs');
    tabItems.remove('form');
    expect(items()).toEqual([ofAnotherTab]);
  });

  it('has names that may contain anything', () => {
    tabItems.write('form:a:b', 1);
    expect([tabItems.read('form'), tabItems.read('b'), tabItems.read('form:a:b')]).toEqual([undefined, undefined, 1]);
  });

  it('continues the newest of other tabs, which stays until something is changed', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    accountStorage.set('tab:11111111111111111111111111111111:form', 'older');
    vi.setSystemTime(Date.now() + 1000);
    accountStorage.set(ofAnotherTab, 'theirs');
    expect(tabItems.read('form')).toBe('theirs');
    expect(items()).toHaveLength(2);
    tabItems.write('form', 'theirs, continued');
    expect(accountStorage.get(ofAnotherTab)).toBeUndefined();
    expect(tabItems.read('form')).toBe('theirs, continued');
    expect(items()).toHaveLength(2);
  });

  it('that another tab continues is removed with it when it is saved there', () => {
    accountStorage.set(ofAnotherTab, 'theirs');
    tabItems.read('form');
    tabItems.remove('form');
    expect(items()).toEqual([]);
  });

  it('is stored again while it is shown, when another tab continues it', () => {
    tabItems.write('form', 'mine');
    const [key = ''] = items();
    removeInAnotherTab(key);
    expect(accountStorage.get(key)).toBe('mine');
    tabItems.release('form');
    removeInAnotherTab(key);
    expect(items()).toEqual([]);
  });

  it('is not stored again after a sign-out in another tab', () => {
    tabItems.write('form', 'mine');
    const [key = ''] = items();
    localStorage.removeItem('kept-account');
    removeInAnotherTab(key);
    localStorage.removeItem(`kept:ada:${key}`);
    window.dispatchEvent(new StorageEvent('storage', { key: `kept:ada:${key}`, newValue: null }));
    expect(Object.keys(localStorage)).toEqual([]);
  });

  it('is not stored again where that would remove input of other tabs', () => {
    const large = 'x'.repeat(1_100_000);
    tabItems.write('form', large);
    const [key = ''] = items();
    accountStorage.remove(key);
    accountStorage.set(ofAnotherTab, large);
    window.dispatchEvent(new StorageEvent('storage', { key: `kept:ada:${key}`, newValue: null }));
    expect(items()).toEqual([ofAnotherTab]);
  });

  it('that does not fit is reported once', () => {
    const warn = vi.spyOn(notify, 'warn').mockReturnValue();
    onTestFinished(() => warn.mockRestore());
    tabItems.write('form', 'x'.repeat(2_100_000));
    tabItems.write('other', 'x'.repeat(2_100_000));
    expect(warn).toHaveBeenCalledOnce();
  });
});
