const storageKey = 'uprez.processes-on';
const device = 'device';

/** Returns the result of a local storage access, or undefined if the browser denies it. */
function ignoreErrors<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}

/** Whether the last image was processed on this device. If so, new images open on the page for local processing. */
export const prefersDevice = (): boolean => ignoreErrors(() => localStorage.getItem(storageKey)) === device;
export const preferDevice = (): void => ignoreErrors(() => localStorage.setItem(storageKey, device));
export const preferServer = (): void => ignoreErrors(() => localStorage.removeItem(storageKey));
