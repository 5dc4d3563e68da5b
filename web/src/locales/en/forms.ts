export const forms = {
  roles: { system: 'System', user: 'Person', assistant: 'Assistant' },
  addMessage: 'Add a message',
  fallback: 'Fallback {{number}}',
  addFallback: 'Add a fallback',
  noKnowledgeBases: 'There is no knowledge base yet.',
};
