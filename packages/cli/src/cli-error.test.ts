import { ApiError, ConnectionError, UprezError } from '@uprez/sdk-node';
import { expect, it } from 'vitest';
import { toFatalError } from './cli-error.ts';

const apiError = (code: string, status: number) => new ApiError({ code, status, detail: 'No.', hint: 'Do this.' });

it.each([
  [apiError('bad_api_key', 401), 2],
  [apiError('conflicting_params', 422), 2],
  [apiError('quota_exceeded', 402), 3],
  [new ConnectionError(new Error('down')), 3],
  [new UprezError('unexpected_answer', 'Not the API.'), 3],
  [apiError('corrupt_image', 422), undefined],
  [new Error('odd'), undefined],
])('maps %s to exit code %s', (error, exitCode) => {
  expect(toFatalError(error)?.exitCode).toBe(exitCode);
});

it('appends the hint to the message', () => {
  expect(toFatalError(apiError('quota_exceeded', 402))?.message).toBe('No. Do this.');
});
