import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { makeImage } from '@uprez/testing/make-image';
import { expect, it } from 'vitest';
import { chooseOption, press } from '../../../../test/component/admin-page.ts';
import { chooseImage, findInMain, openHome } from '../../../../test/component/images.ts';
import { intercept } from '../../../../test/component/intercept.ts';
import { makeAccount } from '../../../../test/component/open-page.tsx';

const small = { width: 320, height: 240 };

const process = () => screen.getByRole('button', { name: 'Process image' });
const enter = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const expectValue = (label: string, value: number) =>
  waitFor(() => expect(screen.getByLabelText(label)).toHaveValue(value));

/** Opens an image on the home page of a new account. */
async function openImage(name = 'harbor.png', image: Parameters<typeof makeImage>[0] = small) {
  const user = await openHome(await makeAccount());
  await chooseImage(name, image);
  return user;
}

it('shows an error for a result over the plan limit, with the largest factor', async () => {
  const user = await openImage('harbor.jpg', { width: 2_200, height: 1_600, format: 'jpeg', seed: 7 });
  await press(user, 'Use up to 8x without AI');
  const factor = screen.getByRole('slider', { name: 'Scale factor' });
  factor.focus();
  await user.keyboard('{End}');
  await findInMain(/The largest scale factor that works is 7\.5/);
  await findInMain('Upgrade to Pro for more.');
  expect(process()).toBeDisabled();
  await press(user, 'Use 7.53x');
  await findInMain('2,200 x 1,600 -> 16,566 x 12,048');
  expect(process()).toBeEnabled();
});

it('starts an exact size with that of the image, and keeps its proportions until it is unlocked', async () => {
  const user = await openImage();
  await press(user, 'Set exact size');
  await expectValue('Width', 640);
  await expectValue('Height', 480);
  enter('Height', '240');
  await expectValue('Width', 320);
  enter('Height', '480');
  await expectValue('Width', 640);
  await findInMain('320 x 240 -> 640 x 480');
  await press(user, 'Keep proportions');
  enter('Width', '500');
  await expectValue('Height', 480);
  await findInMain('320 x 240 -> 500 x 375');
  await press(user, 'Keep proportions');
  await expectValue('Height', 375);
  await chooseOption(user, 'Size', 'Long side');
  await expectValue('Long side', 500);
});

it('refuses numbers that are out of range beside their fields, without changing them', async () => {
  const user = await openImage('harbor.jpg', { ...small, format: 'jpeg' });
  // Errors are announced outside of it.
  const main = within(screen.getByRole('main'));
  enter('Quality value', '0');
  fireEvent.blur(screen.getByLabelText('Quality value'));
  await main.findByText('Enter a whole number from 1 to 100.');
  expect(screen.getByLabelText('Quality value')).toHaveValue(0);
  enter('Quality value', '80');
  await waitFor(() => expect(main.queryByText('Enter a whole number from 1 to 100.')).toBeNull());
  await press(user, 'Set exact size');
  enter('Width', '0');
  fireEvent.blur(screen.getByLabelText('Width'));
  await main.findByText('Enter a whole number from 1 to 262,144.');
  expect(screen.getByLabelText('Width')).toHaveValue(0);
  expect(screen.getByLabelText('Width')).toHaveAttribute('aria-invalid', 'true');
  expect(process()).toBeDisabled();
});

it('offers a size and an engine that work when a size is beyond a limit', async () => {
  const user = await openImage();
  await press(user, 'Set exact size');
  enter('Width', '2560');
  await findInMain('Your plan allows');
  await screen.findByRole('button', { name: 'Use standard engine' });
  await press(user, 'Use 1,280 x 960');
  await expectValue('Width', 1_280);
  expect(process()).toBeEnabled();
  enter('Width', '2560');
  await press(user, 'Use standard engine');
  await findInMain('320 x 240 -> 2,560 x 1,920');
  expect(process()).toBeEnabled();
});

it('estimates an exact size, which must be entered', async () => {
  const estimates: unknown[] = [];
  const user = await openImage();
  await press(user, 'Set exact size');
  await chooseOption(user, 'Size', 'Long side');
  enter('Long side', '');
  await findInMain('Enter a size.');
  expect(process()).toBeDisabled();
  intercept(/^\/api\/estimate$/, async (send) => {
    const response = await send();
    estimates.push(await response.clone().json());
    return response;
  });
  enter('Long side', '600');
  await findInMain('320 x 240 -> 600 x 450');
  await waitFor(() => expect(estimates).toHaveLength(1));
  expect(estimates[0]).toMatchObject({ width: 600, height: 450, units: 1, meter: 'ai' });
  await findInMain('1 AI image, 10 left');
});

it('locks factors and formats above the plan, with the upgrade and the limit without AI', async () => {
  const user = await openImage('harbor.jpg', { ...small, format: 'jpeg' });
  const upgrade = 'Upgrade to Pro for up to 8x with AI ($7 per month).';
  const factor = screen.getByRole('slider', { name: 'Scale factor' });
  expect(factor).toHaveAttribute('aria-valuemax', '4');
  await findInMain(upgrade);
  factor.focus();
  await user.keyboard('{End}');
  expect(factor).toHaveAttribute('aria-valuenow', '4');
  const announced = () => document.querySelector('[aria-live="polite"]');
  await waitFor(() => expect(announced()).toHaveTextContent(upgrade));
  await user.click(screen.getByText('6', { selector: 'button' }));
  expect(factor).toHaveAttribute('aria-valuenow', '4');
  expect(screen.getByRole('link', { name: 'View plans' })).toHaveAttribute('href', '/pricing');
  expect(screen.getByRole('radio', { name: 'AVIF' })).toBeDisabled();
  await findInMain('Upgrade to Pro for AVIF, JPEG XL, TIFF, and GIF.');
  await user.click(screen.getByRole('radio', { name: 'PNG' }));
  await findInMain("PNG is lossless, so quality doesn't apply.");
  await press(user, 'Use up to 8x without AI');
  factor.focus();
  await user.keyboard('{End}');
  await waitFor(() => expect(factor).toHaveAttribute('aria-valuetext', '8x, 2560 by 1920 pixels'));
  await user.click(screen.getByText('More options'));
  await press(user, 'Reset options');
  await waitFor(() => expect(factor).toHaveAttribute('aria-valuenow', '2'));
});
