import { screen, waitFor } from '@testing-library/react';
import type { Engine } from '@uprez/contracts/schemas/jobs/estimate';
import { expect, it } from 'vitest';
import { chooseOption } from '../../../../test/component/admin-page.ts';
import { chooseImage, findInMain, openHome } from '../../../../test/component/images.ts';
import { intercept } from '../../../../test/component/intercept.ts';
import { makeAccount } from '../../../../test/component/open-page.tsx';

const facts = { sha256: 'a'.repeat(64), sizeBytes: 1_000, overlap: 16, bytesPerPixel: 1_000, pixelsPerSecond: 50_000 };
const model = { ...facts, title: 'My model', license: 'CC-BY-4.0', source: 'a test', for: 'photos' as const };
const says = 'Photos. Custom model: My model. License: CC-BY-4.0.';

/** Adds a custom model to the engines of the workers. */
const addModel = () =>
  intercept(/^\/api\/engines/, async (send) => {
    const engines = (await (await send()).json()) as Engine[];
    const custom = { name: 'custom:my-model', says, custom: model, available: true, pixelsPerSecond: 50_000 };
    const like = engines.find(({ name }) => name === 'photo-fast');
    return Response.json([...engines, { ...like, ...custom, isAuto: false }]);
  });

it('offers a custom model by its title, with its license and without the options that it lacks', async () => {
  addModel();
  const user = await openHome(await makeAccount());
  await chooseImage('harbor.jpg', { width: 320, height: 240, format: 'jpeg', seed: 7 });
  await screen.findByRole('radio', { name: 'Crisp' });
  await user.click(screen.getByText('More options'));
  screen.getByRole('combobox', { name: 'Edges' });
  await chooseOption(user, 'Engine', 'My model');
  await findInMain(new RegExp(`${says} Takes .* per megapixel`));
  await findInMain(/320 x 240 -> 640 x 480 · .* · .*AI/);
  expect(screen.queryByRole('radio', { name: 'Crisp' })).toBeNull();
  expect(screen.queryByRole('combobox', { name: 'Edges' })).toBeNull();
  await waitFor(() =>
    expect(JSON.parse(localStorage.getItem('uprez.settings') ?? '')).toMatchObject({
      state: { engine: 'custom:my-model' },
    }),
  );
});
