const key = 'token';
const listeners = new Set<() => void>();
/** Whether the server ended the last session rather than the person; the sign-in page says so. */
let expired = false;

function notify() {
  for (const listener of listeners) listener();
}

// Signing out in one tab signs out the others.
window.addEventListener('storage', (event) => {
  if (event.key === key || event.key === null) notify();
});

/** The user token of this browser, shared by its tabs. */
export const session = {
  token: () => localStorage.getItem(key),
  hasExpired: () => expired,
  begin(token: string) {
    expired = false;
    localStorage.setItem(key, token);
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
