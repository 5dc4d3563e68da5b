import { expect, it } from 'vitest';
import { Signal } from './signal.ts';

it('calls all listeners with the value, in their order', () => {
  const signal = new Signal<string>();
  const heard: string[] = [];
  signal.emit('nothing listens yet');
  signal.listen((value) => heard.push(`one ${value}`));
  signal.listen((value) => heard.push(`two ${value}`));
  signal.emit('now');
  expect(heard).toEqual(['one now', 'two now']);
});
