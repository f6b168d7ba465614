import { expect, it } from 'vitest';
import { namePastedFile } from './pasted-file.ts';

const now = new Date(2026, 10, 5, 14, 7, 9);
const file = (name: string, type: string) => new File(['x'], name, { type });

it('names a pasted bitmap by the current time', async () => {
  const named = namePastedFile(file('image.png', 'image/png'), now);
  expect(named.name).toBe('pasted-20261105-140709.png');
  expect(named.type).toBe('image/png');
  expect(await named.text()).toBe('x');
});

it('keeps the name of a copied file', () => {
  const copied = file('holiday.jpg', 'image/jpeg');
  expect(namePastedFile(copied, now)).toBe(copied);
});
