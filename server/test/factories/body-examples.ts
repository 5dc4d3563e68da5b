const key = 'sk-0123456789abcdefwxyz';
const provider = { requester: 'openai-chat-completions', base_url: ':model_server', api_keys: [key] };
const model = { name: 'm', provider, extra_args: { temperature: 1 }, prefered_ranking: 1 };
const languageModel = { ...model, abilities: ['vision'] };
const rerankModel = { ...model, provider: { ...provider, requester: 'new-api-chat-completions' } };
const mcpServer = {
  name: 's',
  enable: false,
  mode: 'http',
  extra_args: { url: 'http://127.0.0.1:9/mcp', headers: { authorization: key }, timeout: 1 },
};
const plain = { type: 'Plain', text: 'Hello' };

/** A body of each operation that takes one, which is right; `:pipeline_uuid` stands for the id of a record, see `example-records.ts`. */
export const bodyExamples: Record<string, object> = {
  'POST /api/v1/user/init': { user: 'ann', password: 'a password', setup_token: 'token' },
  'POST /api/v1/user/auth': { user: 'ann', password: 'a password' },
  'POST /api/v1/user/oidc/sign-in': { query: 'code=c&state=s' },
  'POST /api/v1/user/oidc/link': { query: 'code=c&state=s' },
  'POST /api/v1/user/second-factor': { password: 'a password' },
  'POST /api/v1/user/second-factor/enable': { code: '123456' },
  'POST /api/v1/user/second-factor/disable': { password: 'a password', code: '123456' },
  'POST /api/v1/user/change-password': { current_password: 'a password', new_password: 'another password' },
  'POST /api/v1/user/set-password': { current_password: 'a password', new_password: 'another password' },
  'POST /api/v1/user/reset-password': { user: 'ann', recovery_key: 'rk_key', new_password: 'another password' },
  'POST /api/v1/accounts': { user: 'mel@example.com', password: 'a password that is hard to guess', role: 'member' },
  'PUT /api/v1/accounts/:account_uuid': { role: 'member' },
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
  'PUT /api/v1/pipelines/:pipeline_uuid': {
    name: 'p',
    description: 'd',
    emoji: 'e',
    config: {
      ai: {
        'local-agent': { model: { primary: '' } },
        'n8n-service-api': { 'auth-type': 'header', 'header-value': key },
      },
      output: { 'force-delay': { min: 0, max: '1' }, misc: { 'at-sender': 'true' } },
    },
    extensions_preferences: {
      enable_all_plugins: false,
      mcp_servers: ['m'],
      mcp_tool_users: { m: { allow: 'everyone', users: [] } },
    },
  },
  'PUT /api/v1/pipelines/:pipeline_uuid/extensions': {
    enable_all_plugins: false,
    enable_all_mcp_servers: false,
    bound_plugins: [{ author: 'a', name: 'n' }],
    bound_mcp_servers: ['m'],
    mcp_tool_users: { m: { allow: 'listed', users: ['person_17'] } },
  },
  'POST /api/v1/provider/providers': { name: 'p', ...provider },
  'PUT /api/v1/provider/providers/:provider_uuid': { name: 'p', ...provider },
  'POST /api/v1/provider/models/llm': languageModel,
  'PUT /api/v1/provider/models/llm/:model_uuid': languageModel,
  'POST /api/v1/provider/models/llm/:model_uuid/test': languageModel,
  'POST /api/v1/provider/models/embedding': model,
  'PUT /api/v1/provider/models/embedding/:model_uuid': model,
  'POST /api/v1/provider/models/embedding/:model_uuid/test': model,
  'POST /api/v1/provider/models/rerank': rerankModel,
  'PUT /api/v1/provider/models/rerank/:model_uuid': rerankModel,
  'POST /api/v1/provider/models/rerank/:model_uuid/test': rerankModel,
  'PUT /api/v1/provider/model-prices/:model_name': { input_price: 0.5, output_price: 2 },
  'POST /api/v1/platform/adapters/:adapter_name/login': { adapter_config: { token: '1:a' } },
  'POST /api/v1/platform/adapters/:adapter_name/test': { adapter_config: { token: '1:a' } },
  'POST /api/v1/mcp/servers': mcpServer,
  'PUT /api/v1/mcp/servers/:name': { ...mcpServer, name: 'existing' },
  'PUT /api/v1/mcp/servers/:name/read-only-tools': {
    tools: [
      { name: 't', read_only: true, fingerprint: 'f' },
      { name: 'u', read_only: false },
    ],
  },
  'POST /api/v1/mcp/servers/:name/test': mcpServer,
  'POST /api/v1/knowledge/bases': {
    name: 'k',
    description: 'd',
    emoji: '📚',
    knowledge_engine_plugin_id: 'parley/built-in',
    creation_settings: { chunk_size: 500, language: 'german' },
    retrieval_settings: { top_k: 3 },
  },
  'PUT /api/v1/knowledge/bases/:knowledge_base_uuid': {
    name: 'k',
    description: 'd',
    emoji: null,
    creation_settings: { chunk_size: 500, language: 'german' },
    retrieval_settings: { top_k: 4 },
  },
  'POST /api/v1/knowledge/bases/:knowledge_base_uuid/files': {
    file_id: ':uploaded_id',
    file_key: ':uploaded_id',
    parser_plugin_id: null,
    metadata: { language: 'de', year: 2026, public: true },
    allow_duplicate: true,
  },
  'POST /api/v1/knowledge/bases/:knowledge_base_uuid/collections': { creation_settings: { chunk_size: 700 } },
  'POST /api/v1/knowledge/bases/:knowledge_base_uuid/retrieve': {
    query: 'q',
    retrieval_settings: { top_k: 3 },
    filters: { page: { $gte: 2 }, language: 'de' },
  },
  'POST /api/v1/knowledge/bases/:knowledge_base_uuid/questions': {
    questions: [{ question: 'q', expected: [{ document_uuid: ':document_uuid', quote: 'words', grade: 2 }] }],
  },
  'PUT /api/v1/knowledge/bases/:knowledge_base_uuid/questions/:question_uuid': {
    question: 'q',
    expected: [{ document_uuid: ':document_uuid', file_name: null, quote: null }],
  },
  'POST /api/v1/knowledge/bases/:knowledge_base_uuid/evaluations': { collection_id: null, model_uuid: null },
  'POST /v1/chat/completions': {
    model: 'Default pipeline',
    messages: [
      { role: 'system', content: 'Be brief' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
      { role: 'user', content: [{ type: 'text', text: 'How are you?' }] },
    ],
    temperature: 1,
    user: 'u',
  },
  'POST /v1/responses': {
    model: 'Default pipeline',
    input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }],
    instructions: 'Be brief',
    metadata: { a: 'b' },
    store: false,
  },
  'POST /api/v1/platform/bots': {
    name: 'b',
    description: 'd',
    adapter: 'websocket',
    adapter_config: {},
    enable: true,
    use_pipeline_uuid: '',
  },
  'PUT /api/v1/platform/bots/:bot_uuid': {
    name: 'b',
    adapter: 'websocket',
    adapter_config: {},
    enable: true,
    pipeline_routing_rules: [
      {
        pipeline_uuid: ':pipeline_uuid',
        persons: ['user-1'],
        groups: ['group-1'],
        keywords: ['k'],
        mentioned: true,
        time: { from: '22:00', to: '06:00', days: [1], time_zone: 'Europe/Berlin' },
      },
    ],
  },
  'POST /api/v1/platform/bots/:bot_uuid/logs': { from_index: -1, max_count: 10 },
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
  'POST /api/v1/messages/:message_uuid/feedback': {
    feedback_type: 2,
    feedback_content: 'c',
    inaccurate_reasons: ['r'],
  },
  'POST /api/v1/survey/respond': { survey_id: 's', answers: { question: ['a'] }, completed: true },
  'POST /api/v1/survey/dismiss': { survey_id: 's' },
  'POST /api/v1/webhooks': { name: 'w', url: 'http://127.0.0.1:9/hook', description: 'd', enabled: true },
  'PUT /api/v1/webhooks/:id': { name: 'w', url: 'http://127.0.0.1:9/hook', description: null, enabled: false },
  'PUT /api/v1/safety/sensitive-words': { words: ['word', 'w.rd'], mask: '*', mask_word: '' },
  'POST /api/v1/system/wizard/completed': { status: 'skipped' },
  'PUT /api/v1/system/wizard/progress': { step: 1, selected_adapter: 'telegram', bot_saved: false },
  'POST /api/v1/pipelines/:pipeline_uuid/ws/broadcast': { message: plain },
};
