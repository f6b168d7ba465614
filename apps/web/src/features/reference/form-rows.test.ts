import { makeOpenApi } from '@uprez/contracts/docs/openapi/make-open-api';
import { expect, it } from 'vitest';
import { makeFormRows } from './form-rows.ts';

it('sends the fields of the example, and lists all others without sending them', () => {
  const document = JSON.parse(JSON.stringify(makeOpenApi('https://uprez.example'))) as ReturnType<typeof makeOpenApi>;
  const form = makeFormRows(document).paths['/v1/process']?.post?.requestBody?.content['multipart/form-data'];
  const rows = form?.example as { name: string; value: string; isDisabled: boolean }[];
  expect(rows.filter(({ isDisabled }) => !isDisabled)).toMatchObject([
    { name: 'image', value: '@photo.jpg' },
    { name: 'scale_factor', value: '4' },
  ]);
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['width', 'quality', 'dry_run']));
  expect(rows.every(({ name }) => /^[a-z_]+$/.test(name))).toBe(true);
});
