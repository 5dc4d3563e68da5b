import { createCanvas, loadImage } from '@napi-rs/canvas';
import { expect, it } from 'vitest';
import { grayPng } from './gray-png.ts';

it('is decoded to the same pixels by other programs', async () => {
  const [width, height] = [5, 3];
  const pixels = new Uint8Array(width * height * 4);
  for (let index = 0; index < pixels.length; index += 1) {
    pixels[index] = index % 4 === 3 ? 255 : 16 * Math.floor(index / 4);
  }
  const image = await loadImage(await grayPng(pixels, width, height));
  expect([image.width, image.height]).toEqual([width, height]);
  const context = createCanvas(width, height).getContext('2d');
  context.drawImage(image, 0, 0);
  expect([...context.getImageData(0, 0, width, height).data]).toEqual([...pixels]);
});

it('is small where nothing is drawn', async () => {
  expect((await grayPng(new Uint8Array(800 * 1600 * 4).fill(255), 800, 1600)).length).toBeLessThan(5000);
});
