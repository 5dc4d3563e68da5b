import type { CSSProperties } from 'react';
import { Toaster } from 'sonner';
import { useTheme } from '../../lib/theme.ts';

/** Toasts in the colours of the console; the default ones have too little contrast. */
const look = {
  '--success-bg': 'var(--good-soft)',
  '--success-border': 'var(--border)',
  '--success-text': 'var(--good)',
  '--warning-bg': 'var(--notice-soft)',
  '--warning-border': 'var(--border)',
  '--warning-text': 'var(--notice)',
  '--error-bg': 'var(--destructive-soft)',
  '--error-border': 'var(--border)',
  '--error-text': 'var(--destructive)',
  // The button to close is inside the corner, beside the text.
  '--toast-close-button-start': 'unset',
  '--toast-close-button-end': '0.5rem',
  '--toast-close-button-transform': 'translateY(0.5rem)',
} as CSSProperties;
const besideButton = { style: { paddingRight: '2.5rem' } } as const;

/**
 * The package returns the focus to its previous place whenever it leaves the toasts, so that the tab key would lead
 * back to them forever. This hides the focus from it, and leaves the handling to the browser.
 */
function keepFocusToBrowser(element: HTMLElement | null) {
  const stop = (event: FocusEvent) => event.stopPropagation();
  element?.addEventListener('focusin', stop);
  return () => element?.removeEventListener('focusin', stop);
}

/** The container of toasts. */
export function Toasts() {
  const [theme] = useTheme();
  return (
    <div ref={keepFocusToBrowser} className="contents">
      <Toaster theme={theme} position="bottom-right" richColors closeButton style={look} toastOptions={besideButton} />
    </div>
  );
}
