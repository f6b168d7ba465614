import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { api } from './api.ts';
import { useStepUp } from './step-up.ts';

const refused = () =>
  new Response('Enter your password.', { status: 403, headers: { 'x-error-code': 'step_up_required' } });
const send = vi.fn<typeof fetch>();
beforeEach(() => {
  send.mockReset();
  vi.stubGlobal('fetch', send);
});
afterEach(() => vi.unstubAllGlobals());

const asked = () => vi.waitFor(() => useStepUp.getState().finish ?? Promise.reject(new Error('not asked')));
const call = () => api.updateProfile({ body: { firstName: 'Ada' } });
const done = () => new Response('{}', { headers: { 'content-type': 'application/json' } });

it('returns other responses without asking', async () => {
  send.mockResolvedValue(done());
  expect((await call()).status).toBe(200);
  expect(useStepUp.getState().finish).toBeUndefined();
});

it('repeats the same call once the user has entered the password', async () => {
  send.mockResolvedValueOnce(refused()).mockResolvedValueOnce(done());
  const answer = call();
  (await asked())(true);
  expect((await answer).status).toBe(200);
  const [first, second] = send.mock.calls;
  expect(first).toEqual(['/api/user', expect.objectContaining({ body: '{"firstName":"Ada"}' })]);
  expect(second).toEqual(first);
});

it('throws the error when the user cancels', async () => {
  send.mockResolvedValueOnce(refused());
  const answer = call();
  (await asked())(false);
  await expect(answer).rejects.toMatchObject({ status: 403, code: 'step_up_required' });
  expect(send).toHaveBeenCalledTimes(1);
});

it('asks once for concurrent calls', async () => {
  send
    .mockResolvedValueOnce(refused())
    .mockResolvedValueOnce(refused())
    .mockImplementation(async () => done());
  const both = Promise.all([call(), call()]);
  const finish = await asked();
  await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(2));
  finish(true);
  expect((await both).map(({ status }) => status)).toEqual([200, 200]);
  expect(useStepUp.getState().finish).toBeUndefined();
});
