import { expect, it } from 'vitest';
import { makeTraceparent } from './upload-file.ts';

it('returns a valid header, and another one each time', () => {
  const headers = [makeTraceparent(), makeTraceparent()];
  for (const header of headers) expect(header).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(headers[0]).not.toBe(headers[1]);
});
