import { expect, it } from 'vitest';
import { v1Routes } from '../endpoints/routes-v1.ts';
import { v1Names } from '../v1/fields.ts';
import { makeLlmsText } from './llms-text.ts';

const text = makeLlmsText('https://images.example');

it('lists every endpoint and every image option', () => {
  for (const { method, path } of Object.values(v1Routes))
    expect(text).toContain(`\`${method} ${path.replace(/:(\w+)/g, '{$1}')}\``);
  for (const name of v1Names.filter((field) => field !== 'preserve_metadata'))
    expect(text).toContain(`- \`${name}\` (`);
});

it('links only to the given URL', () => {
  for (const [, origin] of text.matchAll(/(https?:\/\/[^/\s)`]+)/g)) expect(origin).toBe('https://images.example');
});
