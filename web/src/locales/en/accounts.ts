export const accounts = {
  title: 'Accounts',
  introduction:
    'Everyone with an account can manage everything here. To add an account, run ./parley user create on the server.',
  you: 'You',
  lastSignIn: 'Last sign-in',
  notLately: 'Not in the last 30 days',
  apiKeys: 'API keys',
  delete: 'Delete account',
  deleteTitle: 'Delete this account?',
  deleteText: 'Its sessions end at once. This cannot be undone.',
  deleteOwnText: 'This is your own account. You are signed out at once, and this cannot be undone.',
  keys_one: 'Its API key',
  keys_other: 'Its {{count}} API keys',
  keysRevoke: 'Revoke',
  keysKeep: 'Keep for the installation',
  keysHand: 'Hand over to {{name}}',
};
