export const forms = {
  roles: { system: 'System', user: 'User', assistant: 'Assistant' },
  addMessage: 'Add message',
  fallback: 'Fallback {{number}}',
  addFallback: 'Add fallback',
  noKnowledgeBases: 'No knowledge bases yet.',
  advanced: 'Advanced',
};
