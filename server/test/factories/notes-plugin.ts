import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { packageOf } from './plugin-package.ts';

const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Notes</title>
    <link rel="stylesheet" href="notes.css">
    <script type="module" src="notes.js"></script>
  </head>
  <body>
    <main>
      <h1>Notes</h1>
      <form id="form">
        <label>Note <input id="text" autocomplete="off"></label>
        <button>Keep it</button>
      </form>
      <ul id="notes"></ul>
      <p id="status" role="status"></p>
      <button id="fail" type="button">Fail</button>
      <button id="wait" type="button">Wait</button>
    </main>
  </body>
</html>
`;

const css = `
:root { color-scheme: light; font: 1rem/1.5 system-ui, sans-serif; background: #fff; color: #1c1c1f; }
:root[data-theme='dark'] { color-scheme: dark; background: #18181b; color: #ececef; }
main { max-width: 40rem; padding: 1rem; }
form { display: flex; flex-wrap: wrap; gap: 0.5rem; }
`;

const script = `
import { openPluginPage } from './page.js';

const page = await openPluginPage();
const [form, text, notes, status] = ['form', 'text', 'notes', 'status'].map((id) => document.getElementById(id));

function look({ theme, language }) {
  document.documentElement.dataset.theme = theme;
  document.documentElement.lang = language;
}
look(page);
page.onLook(look);

async function list() {
  const all = await page.call('notes');
  notes.replaceChildren(...all.map((note) => Object.assign(document.createElement('li'), { textContent: note })));
}
// Forms are not sent in a sandbox, so the button counts.
form.querySelector('button').type = 'button';
form.querySelector('button').onclick = async () => {
  await page.call('notes', { method: 'POST', body: { text: text.value } });
  text.value = '';
  await list();
  text.focus();
};
const report = (call) => call.then(
  () => { status.textContent = 'It succeeded'; },
  ({ name, reason, message }) => { status.textContent = \`\${name} \${reason}: \${message}\`; },
);
document.getElementById('fail').onclick = () => report(page.call('fail'));
document.getElementById('wait').onclick = () => report(page.call('wait'));
await list();
status.textContent = 'The notes are here';
`;

const main = `
export default {
  pages: {
    notes: async ({ endpoint, method, body }, { host, signal }) => {
      if (endpoint === 'fail') throw { reason: 'conflict', message: 'The note is taken' };
      if (endpoint === 'wait') {
        host.log('info', 'waiting');
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        host.log('info', 'cancelled');
      }
      const notes = (await host.storage.get('notes')) ?? [];
      if (method === 'POST') await host.storage.set('notes', [...notes, body.text]);
      return notes;
    },
  },
};
`;

/** A plugin whose page keeps notes in its storage, by the client of pages. */
export function notesPlugin(): Buffer {
  const client = readFileSync(new URL('../../../sdk/src/plugin-page.ts', import.meta.url), 'utf8');
  const pages = [{ name: 'notes', label: { en_US: 'Notes', zh_Hans: '笔记' }, path: 'notes/index.html' }];
  const files = {
    'notes/index.html': html,
    'notes/notes.css': css,
    'notes/notes.js': script,
    'notes/page.js': stripTypeScriptTypes(client),
  };
  const label = { en_US: 'Notebook', zh_Hans: '笔记本' };
  return packageOf(
    main,
    { id: 'example/notebook', label, contributes: { pages }, permissions: { storage: true } },
    files,
  );
}
