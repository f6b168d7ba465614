import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openPage } from '../../../test/component/open-page.tsx';

it.each(['/nowhere', '/%E2%80%A8/x'])('shows the 404 page at an unknown URL: %s', async (path) => {
  await openPage(path);
  await screen.findByRole('heading', { name: '404 Page Not Found' });
  expect(document.title).toBe('404 Page Not Found');
});
