export const menu = {
  label: 'Account and settings',
  settings: 'Settings',
  theme: 'Theme',
  light: 'Light',
  dark: 'Dark',
  system: 'System',
  language: 'Language',
  signOut: 'Sign out',
};

export const connection = {
  connecting: 'Connecting…',
  lost: 'Connection lost. Reconnecting…',
  offline: 'You are offline. Messages are sent when you are back online.',
};

export const startCard = {
  label: 'Setup guide',
  title: 'Finish setting up',
  text: 'Connect a platform, choose a model and say hello to your bot.',
  open: 'Continue',
  progress: '{{done}} of {{count}} steps done',
  dismiss: "Don't show again",
  done: 'done',
  steps: {
    platform: 'Connect a platform',
    model: 'Use your own model',
    knowledge: 'Add documents',
    message: 'Send a first message',
    colleague: 'Invite a colleague',
    prices: 'Set prices',
  },
};

export const alertBell = {
  label_one: '{{count}} open alert',
  label_other: '{{count}} open alerts',
  title: 'Open alerts',
  none: 'No open alerts',
  all: 'All alerts',
  summaries: {
    bot_offline: 'Bots that are not connected: {{count}}',
    error_rate: 'Failed messages: {{percent}}% ({{count}} of {{total}})',
    waiting_messages: 'Messages waiting for an answer: {{count}}',
    uncertain_messages: 'Messages that may not have arrived: {{count}}',
    cost: 'Cost of model calls: {{cost}}',
    failed_documents: 'Documents that could not be processed: {{count}}',
  },
};
