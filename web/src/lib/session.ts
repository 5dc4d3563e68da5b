const key = 'signed-in';
const listeners = new Set<() => void>();
/** Whether the server ended the last session rather than the user; shown on the sign-in page. */
let expired = false;

// Earlier versions stored the token here.
localStorage.removeItem('token');

function notify() {
  for (const listener of listeners) listener();
}

// Signing out in one tab signs out the others.
window.addEventListener('storage', (event) => {
  if (event.key === key || event.key === null) notify();
});

/**
 * Whether this browser is signed in, shared by its tabs. The session itself is a cookie that scripts cannot read; this
 * flag saves a request at each start.
 */
export const session = {
  /** A unique value per sign-in; null if there was none, or it ended. */
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
