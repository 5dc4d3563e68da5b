export const forms = {
  requires: { public_url: 'No public URL is set, so no links can be created. Set `PARLEY_PUBLIC_URL`.' },
  roles: { system: 'System', user: 'User', assistant: 'Assistant' },
  addMessage: 'Add message',
  fallback: 'Fallback {{number}}',
  addFallback: 'Add fallback',
  noKnowledgeBases: 'No knowledge bases yet.',
  advanced: 'Advanced',
};
