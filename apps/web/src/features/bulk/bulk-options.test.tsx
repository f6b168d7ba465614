import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { chooseOption, press } from '../../../test/component/admin-page.ts';
import { decodeImages, findInMain } from '../../../test/component/images.ts';
import { makeAccount, openPage } from '../../../test/component/open-page.tsx';

const radio = (name: string) => screen.getByRole('radio', { name });
const locksOf = (name: string) => radio(name).closest('label')?.querySelectorAll('svg').length;

async function openBulk() {
  const account = await makeAccount({ tier: 'api_basic' });
  decodeImages();
  const user = await openPage('/dashboard', account);
  await screen.findByRole('combobox', { name: 'Engine' });
  return user;
}

it('offers nearest only at whole factors, and then only whole factors', async () => {
  const user = await openBulk();
  await chooseOption(user, 'Engine', 'standard');
  await press(user, /^Advanced: up to/);
  const factor = screen.getByLabelText('Exact scale factor');
  fireEvent.change(factor, { target: { value: '1.5' } });
  await user.click(screen.getByRole('combobox', { name: 'Engine' }));
  const nearest = await screen.findByRole('option', { name: /^nearest/ });
  expect(nearest).toHaveAttribute('aria-disabled', 'true');
  expect(nearest).toHaveTextContent('Requires a whole-number scale factor.');
  await user.keyboard('{Escape}');
  fireEvent.change(factor, { target: { value: '3' } });
  await chooseOption(user, 'Engine', 'nearest');
  await findInMain("The result is lossless, so quality doesn't apply.");
  expect(factor).toHaveAttribute('step', '1');
  expect(screen.getByLabelText('Quality value')).toBeDisabled();
});

it('offers data in alpha and the formats that lose it only without each other', async () => {
  const user = await openBulk();
  await user.click(radio('JPEG'));
  await user.click(screen.getByRole('combobox', { name: 'Alpha channel' }));
  const data = await screen.findByRole('option', { name: /^Data/ });
  expect(data).toHaveAttribute('aria-disabled', 'true');
  expect(data).toHaveTextContent('Requires PNG, TIFF, WebP, or JPEG XL.');
  await user.keyboard('{Escape}');
  await user.click(radio('WebP'));
  await chooseOption(user, 'Alpha channel', 'Data');
  await waitFor(() => expect(radio('JPEG')).toBeDisabled());
  for (const format of ['AVIF', 'GIF']) expect(radio(format)).toBeDisabled();
  for (const format of ['Auto', 'PNG', 'WebP', 'TIFF', 'JPEG XL']) expect(radio(format)).toBeEnabled();
  expect(locksOf('JPEG')).toBe(0);
  await findInMain('Data in the alpha channel requires PNG, TIFF, WebP, or JPEG XL.');
});
