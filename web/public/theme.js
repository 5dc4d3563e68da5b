// Runs before the first paint, so that a dark page never flashes white. A file of its own because the content security
// policy allows no inline scripts. `src/lib/theme.ts` takes over once the page is up.
(() => {
  let theme = 'system';
  try {
    theme = localStorage.getItem('theme') || theme;
  } catch {
    // Storage may be switched off; the system's theme is a fine answer.
  }
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.classList.toggle('dark', dark);
})();
