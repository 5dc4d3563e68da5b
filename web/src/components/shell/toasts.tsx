import type { CSSProperties } from 'react';
import { Toaster } from 'sonner';
import { useTheme } from '../../lib/theme.ts';

/** The notes in the corner in the colours of the console; their own are too faint to read on a light page. */
const colours = {
  '--success-bg': 'var(--good-soft)',
  '--success-border': 'var(--border)',
  '--success-text': 'var(--good)',
  '--error-bg': 'var(--destructive-soft)',
  '--error-border': 'var(--border)',
  '--error-text': 'var(--destructive)',
} as CSSProperties;

/**
 * The package gives the focus back to where it was before whenever it leaves the notes, so whoever goes on with the tab key
 * would come back to them for ever. It does not know of the focus here, and the browser does what it always does.
 */
function keepFocusToBrowser(element: HTMLElement | null) {
  const stop = (event: FocusEvent) => event.stopPropagation();
  element?.addEventListener('focusin', stop);
  return () => element?.removeEventListener('focusin', stop);
}

/** Where notes appear. */
export function Toasts() {
  const [theme] = useTheme();
  return (
    <div ref={keepFocusToBrowser} className="contents">
      <Toaster theme={theme} position="bottom-right" richColors closeButton style={colours} />
    </div>
  );
}
