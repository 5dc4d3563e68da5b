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
