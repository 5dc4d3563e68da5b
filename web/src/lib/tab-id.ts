import { randomName } from './random-name.ts';

const key = 'tab';

/**
 * Identifies this tab, also after a reload. While the page is open, it is in memory only: browsers copy the session
 * storage into a duplicated tab.
 */
export const tabId: string = take() ?? randomName();

window.addEventListener('pagehide', () => {
  try {
    sessionStorage.setItem(key, tabId);
  } catch {
    // Full or forbidden: what was kept is continued like that of a closed tab.
  }
});
// Back in the same tab, from the browser's memory.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) take();
});

function take(): string | null {
  try {
    const id = sessionStorage.getItem(key);
    sessionStorage.removeItem(key);
    return id !== null && /^[0-9a-f]{32}$/.test(id) ? id : null;
  } catch {
    return null;
  }
}
