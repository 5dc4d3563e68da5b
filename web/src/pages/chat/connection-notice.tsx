import { CloudOff, LoaderCircle } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConnectionState } from './chat-socket.ts';

function subscribe(listener: () => void) {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** Shows that the connection is lost, unless it is restored quickly. */
export function ConnectionNotice({ state }: { state: ConnectionState }) {
  const { t } = useTranslation();
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  const [late, setLate] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  const open = state === 'open';

  useEffect(() => {
    if (open) setWasOpen(true);
    setLate(false);
    if (open) return;
    const timer = setTimeout(() => setLate(true), 1200);
    return () => clearTimeout(timer);
  }, [open]);

  const shown = !open && (late || !online);
  const text = !online
    ? t('connection.offline')
    : t(wasOpen || state === 'lost' ? 'connection.lost' : 'connection.connecting');
  return (
    <div role="status" className="flex justify-center">
      {shown && (
        <p className="mb-2 inline-flex motion-safe:animate-appear items-center gap-2 rounded-full bg-notice-soft px-3.5 py-1.5 text-sm text-notice">
          {online ? (
            <LoaderCircle aria-hidden className="size-4 motion-safe:animate-spin" />
          ) : (
            <CloudOff aria-hidden className="size-4" />
          )}
          {text}
        </p>
      )}
    </div>
  );
}
