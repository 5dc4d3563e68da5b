export const reference = {
  introduction: 'All that this console does, programs can do with the HTTP interface.',
  browse: 'Open the interactive documentation',
  address: 'Base address',
  addressText: 'Every path begins with it.',
  key: 'With an API key',
  keyText: 'For programs. A key reaches as far as its scopes; make one under API keys.',
  token: 'As a person',
  tokenText: 'Some things belong to an account, such as its sessions. They take the token of a sign-in.',
  file: 'OpenAPI description',
  fileText: 'For generators of clients and tools that test.',
};
