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
  offline: 'You are offline. Messages will be sent when you are back.',
};

export const startCard = {
  label: 'Guided start',
  title: 'Continue the start',
  text: 'Connect a messenger, choose a model and say hello to your bot.',
  open: 'Continue',
};
