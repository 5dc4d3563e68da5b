import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInConsole } from '../../../testing/render.tsx';
import { PluginPageLinks } from './plugin-page-links.tsx';

it('leads to each page of a plugin', async () => {
  const pages = [
    { name: 'table', label: { en_US: 'Table' } },
    { name: 'rates', label: { en_US: 'Rates' } },
  ];
  await renderInConsole(<PluginPageLinks id="example/units" pages={pages} />);
  const links = screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  expect(links).toEqual([
    ['Table', '/plugins/example/units/pages/table'],
    ['Rates', '/plugins/example/units/pages/rates'],
  ]);
});

it('shows nothing where a plugin has no pages', async () => {
  await renderInConsole(<PluginPageLinks id="example/units" pages={[]} />);
  expect(screen.queryByRole('list')).toBeNull();
});
