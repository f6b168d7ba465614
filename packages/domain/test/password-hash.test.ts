import { Worker } from 'node:worker_threads';
import { expect, it, vi } from 'vitest';

it('compares passwords of unknown accounts again after the hashing thread failed', async () => {
  vi.resetModules();
  const { hashPassword, verifyPassword } = await import('../src/accounts/password-hash.ts');
  const post = vi.spyOn(Worker.prototype, 'postMessage').mockImplementationOnce(function (this: Worker) {
    this.emit('error', new Error('out of memory'));
  });
  try {
    await expect(verifyPassword(undefined, 'a password')).rejects.toThrow('out of memory');
  } finally {
    post.mockRestore();
  }
  expect(await verifyPassword(undefined, 'a password')).toBe(false);
  expect(await verifyPassword(await hashPassword('a password'), 'a password')).toBe(true);
});
