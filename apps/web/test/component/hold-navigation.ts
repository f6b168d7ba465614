import { type MockInstance, onTestFinished, vi } from 'vitest';

/**
 * Keeps the page open when it leaves for another document or loads itself again, until the test ends. Returns the calls that
 * would leave.
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
