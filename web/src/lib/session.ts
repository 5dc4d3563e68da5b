import { accountStorage } from './account-storage.ts';
import { secretTexts } from './secret-texts.ts';

const key = 'signed-in';
const listeners = new Set<() => void>();
/** Whether the server ended the last session rather than the user; shown on the sign-in page. */
let expired = false;
/** Whether pages have content, which must not be lost. */
let hasContent = false;
/** While requests wait for the user to sign in again. */
let renewal: PromiseWithResolvers<boolean> | null = null;

// Earlier versions stored the token here.
localStorage.removeItem('token');

function notify() {
  for (const listener of listeners) listener();
}

function continueWith(isRenewed: boolean) {
  renewal?.resolve(isRenewed);
  renewal = null;
}

// Signing in or out in one tab concerns the others.
window.addEventListener('storage', (event) => {
  if (event.key !== key && event.key !== null) return;
  expired = false;
  if (localStorage.getItem(key) === null) {
    hasContent = false;
    continueWith(false);
  }
  notify();
});

/**
 * Whether this browser is signed in, shared by its tabs. The session itself is a cookie that scripts cannot read; this
 * flag saves a request at each start.
 */
export const session = {
  /** A unique value per sign-in; null if there was none, or it ended. */
  current: () => (expired ? null : localStorage.getItem(key)),
  hasExpired: () => expired,
  begin() {
    expired = false;
    localStorage.setItem(key, `${Date.now()}`);
    notify();
  },
  /** Ends it in all tabs, and removes what the browser keeps for the account. */
  end() {
    expired = false;
    hasContent = false;
    localStorage.removeItem(key);
    accountStorage.clear();
    secretTexts.clear();
    continueWith(false);
    notify();
  },
  /** Records that pages have content now. */
  show() {
    hasContent = true;
  },
  /** Whether the user has to sign in over the page, which keeps its content. */
  isInterrupted: () => renewal !== null,
  /**
   * The server has rejected a request of the session. Where pages have content, sign-in is shown over them; otherwise the
   * session ends in this tab, and others find out by themselves.
   * @returns whether the user has signed in again, so that the request can be repeated
   */
  reject(): Promise<boolean> {
    if (!hasContent) {
      expired = true;
      notify();
      return Promise.resolve(false);
    }
    if (renewal !== null) return renewal.promise;
    renewal = Promise.withResolvers<boolean>();
    notify();
    return renewal.promise;
  },
  /** The same user has signed in again. */
  resume() {
    continueWith(true);
    notify();
  },
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
};
