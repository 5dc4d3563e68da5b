export const reference = {
  introduction: 'Programs can do everything this console does through the HTTP API.',
  browse: 'Open interactive documentation',
  address: 'Base URL',
  addressText: 'All paths are relative to it.',
  key: 'API key',
  keyText: 'For programs. A key is limited to its permissions. Create one under API keys.',
  token: 'Session token',
  tokenText: 'For endpoints of your own account, such as sessions. Obtained by signing in.',
  file: 'OpenAPI description',
  fileText: 'For client generators and API tools.',
};
