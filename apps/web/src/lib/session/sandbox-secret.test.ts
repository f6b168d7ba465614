import { expect, it, vi } from 'vitest';
import { clearTabData } from './account-data.ts';
import { keepSandboxSecret, useSandboxSecret } from './sandbox-secret.ts';

it('keeps the secret in memory until the data of the tab is cleared', () => {
  const setItem = vi.fn();
  vi.stubGlobal('sessionStorage', { setItem });
  keepSandboxSecret({ keyId: '1', secret: 'upz_test_a' });
  expect(useSandboxSecret.getState().known).toEqual({ keyId: '1', secret: 'upz_test_a' });
  clearTabData();
  expect(useSandboxSecret.getState().known).toBeUndefined();
  expect(setItem).not.toHaveBeenCalled();
  vi.unstubAllGlobals();
});
