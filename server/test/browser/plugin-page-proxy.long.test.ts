import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { signedIn } from '../end-to-end/api-client.ts';
import { notesPlugin } from '../factories/notes-plugin.ts';
import { startServiceProcess } from '../factories/start-service-process.ts';
import { testSetupToken } from '../factories/test-setup-token.ts';
import { freePort } from '../shared/free-port.ts';
import { sharedResource } from '../shared/shared-resource.ts';
import { beginSession } from './begin-session.ts';
import { launchBrowser } from './browser.ts';
import { installPlugin } from './install-plugin.ts';

/** A reverse proxy that does not tell the server under which name it is reached. */
async function startProxy() {
  let target = '';
  const pass = (request: IncomingMessage, response: ServerResponse) => {
    const { method, url, headers } = request;
    const onward = send(target + url, { method, headers: { ...headers, host: new URL(target).host } }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  };
  const server = createServer(pass);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    // It was told to listen at a port.
    address: `http://localhost:${(server.address() as AddressInfo).port}`,
    lead(to: string) {
      target = to;
    },
  };
}

test('a page is shown below a path, behind a proxy with another name', { timeout: 120_000 }, async () => {
  const proxy = await startProxy();
  await sharedResource('console');
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-proxy-test-'));
  const port = await freePort();
  const service = await startServiceProcess({
    dataDir,
    environment: {
      PARLEY_PORT: String(port),
      PARLEY_BASE_PATH: '/parley',
      PARLEY_PUBLIC_URL: `${proxy.address}/parley`,
      PARLEY_SETUP_TOKEN: testSetupToken,
    },
  });
  onTestFinished(async () => {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  proxy.lead(`http://127.0.0.1:${port}`);
  const own = `http://127.0.0.1:${port}/parley`;
  const { token, data } = await signedIn(own);
  await installPlugin(
    { address: own, token, call: (method, path) => data(method, path.replace('/api/v1', '')) },
    notesPlugin(),
  );

  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  for (const address of [`${proxy.address}/parley`, own]) {
    const context = await browser.newContext();
    await beginSession(context, address, token);
    const page = await context.newPage();
    await page.goto(`${address}/plugins/example/notebook/pages/notes`);
    await page.frameLocator('iframe').getByText('The notes are here').waitFor();
    const frame = page.frames().find((one) => one !== page.mainFrame());
    expect(frame?.url()).toMatch(new RegExp(`^${RegExp.escape(address)}/plugin-pages/`));
    // The policy holds there as well.
    await frame?.evaluate(() => void setTimeout(() => location.assign('https://127.0.0.1:9/stolen')));
    await expect.poll(() => page.locator('iframe').count()).toBe(0);
    await context.close();
  }
});
