/**
 * Sends a message through the first bot.
 * Run: PARLEY_API_KEY=lbk_… node examples/http-client.ts http://127.0.0.1:5300 person some-id "Hello"
 */
import { createParleyClient } from '@parley/client';

const [baseUrl = 'http://127.0.0.1:5300', targetType = 'person', targetId = '', text = 'Hello'] = process.argv.slice(2);
const parley = createParleyClient({ baseUrl, token: process.env.PARLEY_API_KEY ?? '' });

const { bots } = await parley.get('/api/v1/platform/bots');
const bot = bots.find((candidate) => candidate.enable);
if (bot === undefined) throw new Error('there is no bot that is switched on');

const { sent } = await parley.post('/api/v1/platform/bots/{bot_uuid}/send_message', {
  params: { path: { bot_uuid: bot.uuid } },
  body: {
    target_type: targetType === 'group' ? 'group' : 'person',
    target_id: targetId,
    message_chain: [{ type: 'Plain', text }],
  },
});
console.log(sent ? `sent through ${bot.name}` : 'not sent');
