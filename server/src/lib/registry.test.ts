import { describe, expect, it } from 'vitest';
import { Registry } from './registry.ts';

describe('a registry of extensions', () => {
  const [help, reset] = [
    { name: 'help', aliases: ['h', '?'] },
    { name: 'reset', aliases: [] },
  ];

  it('finds extensions by any of their names, and lists each once, in order', () => {
    const registry = new Registry([reset, help]);
    expect(registry.get('help')).toBe(help);
    expect(registry.get('?')).toBe(help);
    expect(registry.get('toString')).toBeUndefined();
    expect(registry.list()).toEqual([reset, help]);
  });

  it('refuses an extension with a name that is taken, and keeps the one that has it', () => {
    const registry = new Registry([help]);
    expect(() => registry.add({ name: 'host', aliases: ['h'] })).toThrow('h');
    expect(registry.list()).toEqual([help]);
    expect(registry.get('host')).toBeUndefined();
  });

  it('removes an extension with all its names, but no other of the same name', () => {
    const registry = new Registry([help, reset]);
    registry.remove({ name: 'reset', aliases: [] });
    expect(registry.get('reset')).toBe(reset);
    registry.remove(help);
    expect(registry.list()).toEqual([reset]);
    registry.add({ name: '?', aliases: [] });
    expect(registry.list().map(({ name }) => name)).toEqual(['reset', '?']);
  });
});
