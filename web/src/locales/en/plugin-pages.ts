export const pluginPages = {
  page: 'Page of a plugin',
  toPlugin: 'Back to {{plugin}}',
  skip: 'Skip the page of the plugin',
  origin: 'This page belongs to the plugin. It has no access to the console or to your session.',
  reload: 'Reload the page',
  paused: 'The plugin crashed several times and is paused for a few minutes. Requests of the page fail until then.',
  states: {
    disabled: 'The plugin is disabled. Enable it to open its pages.',
    consent_required: 'The plugin needs the consent of an admin before its pages can be opened.',
    damaged: 'The files of the plugin were changed. Install it again to open its pages.',
    fetching: 'The files of the plugin are being fetched from the file store. Reload the page in a moment.',
  },
  ends: {
    left: 'The page tried to navigate elsewhere and was disconnected.',
    broken: 'The page sent too many or invalid messages and was disconnected.',
    signedOut: 'Your session ended, so the page was disconnected.',
  },
};
