import { type MockInstance, onTestFinished, vi } from 'vitest';

/**
 * Keeps the page from opening another document or reloading until the test ends. Returns the mock of `location.assign`.
 */
export function holdNavigation(): MockInstance<typeof window.location.assign> {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {});
  onTestFinished(() => {
    assign.mockRestore();
    reload.mockRestore();
  });
  return assign;
}
