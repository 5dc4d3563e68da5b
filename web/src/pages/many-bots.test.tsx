import { screen, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { type FakeServer, refusal, startFakeServer } from '../../testing/fake-server.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { renderInConsole } from '../../testing/render.tsx';
import { counted, english } from '../../testing/texts.ts';
import type { Bot } from '../components/bots/bot-queries.ts';
import { BotsTable } from './dashboard/share-tables.tsx';

const count = 200;
const bots = Array.from(
  { length: count },
  (_, index) =>
    ({
      uuid: `b${index}`,
      name: `Parrot ${index}`,
      enable: true,
      use_pipeline_uuid: 'p',
      pipeline_routing_rules: [],
      adapter_runtime_values: { state: 'running' },
    }) as unknown as Bot,
);
const share = { name: '', llm_calls: 1, llm_failures: 0, input_tokens: 1, output_tokens: 0, cost: 0 };

let server: FakeServer;

beforeEach(() => {
  server = startFakeServer()
    .on('get', '/api/v1/platform/bots', { bots })
    .on('get', '/api/v1/provider/model-prices', { model_prices: [] })
    .on('get', '/api/v1/provider/price-currency', { currency: null, usd_rate: null })
    .on('get', '/api/v1/monitoring/costs', {
      costs: [
        { ...share, id: 'b150', total_tokens: 10 },
        { ...share, id: 'b7', total_tokens: 20 },
      ],
    })
    .on('get', '/api/v1/pipelines/_/metadata', { configs: [] } as never)
    .on('get', '/api/v1/pipelines', {
      pipelines: [{ uuid: 'p', name: 'Parrot', emoji: '', config: {}, updated_at: '2026-05-01T00:00:00Z' }],
      total: 1,
    } as never);
});

it('the dashboard has the bots that are used most, and leads to all', async () => {
  await renderInConsole(<BotsTable search={{}} />);
  expect(await screen.findByRole('link', { name: counted(english.dashboard.bots, 'showAll', count) })).toBeTruthy();
  const rows = within(screen.getByRole('table')).getAllByRole('row').slice(1);
  expect(rows).toHaveLength(10);
  await expect
    .poll(() =>
      within(screen.getByRole('table'))
        .getAllByRole('link')
        .slice(0, 3)
        .map((link) => link.textContent),
    )
    .toEqual(['Parrot 7', 'Parrot 150', 'Parrot 0']);
});

it('a pipeline names some of the bots that use it, and leads to all', async () => {
  server.on('get', '/api/v1/system/info', refusal(503, 'not_ready'));
  await openConsole('/pipelines', server);
  const all = await screen.findByRole('link', { name: counted(english.pipelines, 'otherUsers', count - 3) });
  expect(all.getAttribute('href')).toBe('/bots?pipeline=p');
  expect(screen.getAllByRole('link', { name: /^Parrot \d/ })).toHaveLength(3);
});
