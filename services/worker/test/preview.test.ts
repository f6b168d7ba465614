import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { imageForm } from '@uprez/testing/sign-up';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { openChaos } from './chaos.ts';

const chaos = fileFixture(() => openChaos());

it('returns the preview that the worker made to a visitor, without a ledger entry', async () => {
  const { product } = chaos;
  const image = await makeImage({ width: 96, height: 64 });
  const body = imageForm(image, { engine: 'standard', scaleFactor: '2', format: 'webp' });
  const response = await fetch(`${product.url}/api/preview`, { method: 'POST', body });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('image/webp');
  const { format, width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
  expect({ format, width, height }).toEqual({ format: 'webp', width: 192, height: 128 });
  const { faults } = await product.settle(20_000);
  expect(faults).toEqual([]);
  expect(await product.db.selectFrom('ledger').select('id').where('kind', '<>', 'grant').execute()).toEqual([]);
});
