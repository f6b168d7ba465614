import { ApiError, ConnectionError, UprezError } from '@uprez/sdk-node';
import { expect, it } from 'vitest';
import { findStop } from './stop-error.ts';

const refusal = (code: string, status: number) => new ApiError({ code, status, detail: 'No.', hint: 'Do this.' });

it.each([
  [refusal('bad_api_key', 401), 2],
  [refusal('conflicting_params', 422), 2],
  [refusal('quota_exceeded', 402), 3],
  [new ConnectionError(new Error('down')), 3],
  [new UprezError('unexpected_answer', 'A page of a hotel.'), 3],
  [refusal('corrupt_image', 422), undefined],
  [new Error('odd'), undefined],
])('%s ends the work with %s', (error, exitCode) => {
  expect(findStop(error)?.exitCode).toBe(exitCode);
});

it('says what helps', () => {
  expect(findStop(refusal('quota_exceeded', 402))?.message).toBe('No. Do this.');
});
