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
};
