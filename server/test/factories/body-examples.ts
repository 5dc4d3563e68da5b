const key = 'sk-0123456789abcdefwxyz';
const plain = { type: 'Plain', text: 'Hello' };

/** A body of each operation that takes one, which is right in everything that the schema says. */
export const bodyExamples: Record<string, object> = {
  'POST /api/v1/user/init': { user: 'ann', password: 'a password', setup_token: 'token' },
  'POST /api/v1/user/auth': { user: 'ann', password: 'a password' },
  'POST /api/v1/user/change-password': { current_password: 'a password', new_password: 'another password' },
  'POST /api/v1/user/set-password': { current_password: 'a password', new_password: 'another password' },
  'POST /api/v1/user/reset-password': { user: 'ann', recovery_key: 'rk_key', new_password: 'another password' },
  'POST /api/v1/apikeys': { name: 'k', description: 'd', scopes: ['read'], expires_at: '2100-01-01T00:00:00Z' },
  'PUT /api/v1/apikeys/:id': { name: 'k', description: 'd', scopes: ['read'] },
  'POST /api/v1/pipelines': {
    name: 'p',
    description: 'd',
    emoji: 'e',
    config: {
      ai: {
        runner: { runner: 'local-agent' },
        'local-agent': { model: { primary: '', fallbacks: [''] }, prompt: [{ role: 'system', content: 'c' }] },
        'dify-service-api': { 'api-key': key },
      },
      trigger: { 'group-respond-rules': { prefix: ['ai'], random: 0.5 } },
    },
    extensions_preferences: { plugins: [{ author: 'a', name: 'n' }], mcp_servers: ['m'] },
  },
  'POST /api/v1/provider/providers': {
    name: 'p',
    requester: 'openai-chat-completions',
    base_url: 'http://127.0.0.1/v1',
    api_keys: [key],
  },
  'POST /api/v1/provider/models/llm': {
    name: 'm',
    provider: { requester: 'openai-chat-completions', base_url: 'http://127.0.0.1/v1', api_keys: [key] },
    abilities: ['vision'],
    extra_args: { temperature: 1 },
    prefered_ranking: 1,
  },
  'POST /api/v1/platform/bots/:bot_uuid/send_message': {
    target_type: 'person',
    target_id: 'user-1',
    message_chain: [
      plain,
      { type: 'At', target: 1, display: 'Ann' },
      { type: 'Quote', id: 1, origin: [plain, { type: 'Image', url: 'https://example.com/a.png' }] },
      {
        type: 'Forward',
        display: { title: 't', preview: ['p'] },
        node_list: [{ sender_id: 1, message_chain: [plain] }],
      },
      { type: 'File', id: 'f', size: 1 },
      { type: 'Face', face_type: 'dice', face_id: 1 },
    ],
  },
  'POST /api/v1/survey/respond': { survey_id: 's', answers: { question: ['a'] }, completed: true },
  'POST /api/v1/survey/dismiss': { survey_id: 's' },
  'POST /api/v1/pipelines/:pipeline_uuid/ws/broadcast': { message: plain },
};
