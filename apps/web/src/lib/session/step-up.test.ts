import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fetchWithStepUp, useStepUp } from './step-up.ts';

const refused = () =>
  new Response('Enter your password.', { status: 403, headers: { 'x-error-code': 'step_up_required' } });
const send = vi.fn<typeof fetch>();
beforeEach(() => {
  send.mockReset();
  vi.stubGlobal('fetch', send);
});
afterEach(() => vi.unstubAllGlobals());

const asked = () => vi.waitFor(() => useStepUp.getState().finish ?? Promise.reject(new Error('not asked')));
const init = { method: 'POST', body: '{"role":"viewer"}' };

it('returns other responses without asking', async () => {
  send.mockResolvedValue(new Response('{}'));
  expect((await fetchWithStepUp('/x', init)).status).toBe(200);
  expect(useStepUp.getState().finish).toBeUndefined();
});

it('repeats the same call once the user has entered the password', async () => {
  send.mockResolvedValueOnce(refused()).mockResolvedValueOnce(new Response('{}'));
  const response = fetchWithStepUp('/x', init);
  (await asked())(true);
  expect((await response).status).toBe(200);
  expect(send.mock.calls).toEqual([
    ['/x', init],
    ['/x', init],
  ]);
});

it('returns the error when the user cancels', async () => {
  send.mockResolvedValueOnce(refused());
  const response = fetchWithStepUp('/x', init);
  (await asked())(false);
  expect((await response).status).toBe(403);
  expect(send).toHaveBeenCalledTimes(1);
});

it('asks once for concurrent calls', async () => {
  send.mockResolvedValueOnce(refused()).mockResolvedValueOnce(refused()).mockResolvedValue(new Response('{}'));
  const both = Promise.all([fetchWithStepUp('/a', init), fetchWithStepUp('/b', init)]);
  const finish = await asked();
  await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(2));
  finish(true);
  expect((await both).map(({ status }) => status)).toEqual([200, 200]);
  expect(useStepUp.getState().finish).toBeUndefined();
});
