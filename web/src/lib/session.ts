const key = 'signed-in';
const listeners = new Set<() => void>();
/** Whether the server ended the last session rather than the user; the sign-in page says so. */
let expired = false;

// Earlier versions kept the token itself here.
localStorage.removeItem('token');

function notify() {
  for (const listener of listeners) listener();
}

// Signing out in one tab signs out the others.
window.addEventListener('storage', (event) => {
  if (event.key === key || event.key === null) notify();
});

/**
 * Whether this browser is signed in, shared by its tabs. The session itself is a cookie that scripts cannot read; what is
 * kept here saves a request at every start.
 */
export const session = {
  /** A text of its own for each sign-in; null when there was none, or it ended. */
  current: () => localStorage.getItem(key),
  hasExpired: () => expired,
  begin() {
    expired = false;
    localStorage.setItem(key, `${Date.now()}`);
    notify();
  },
  end({ byServer = false } = {}) {
    expired = byServer;
    localStorage.removeItem(key);
    notify();
  },
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
};
