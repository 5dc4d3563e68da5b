/** How the connection of a bot is. */
export const botStates = {
  stopped: 'Off',
  starting: 'Connecting',
  running: 'Connected',
  reconnecting: 'Reconnecting',
  error: 'Not connected',
};
