const name = 'uprez.processes-on';
const device = 'device';

/** The result of an access to local storage; undefined when the browser denies it. */
function ignoreErrors<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}

/** Whether the last image was processed on this device. New images then open on the page for it. */
export const prefersDevice = (): boolean => ignoreErrors(() => localStorage.getItem(name)) === device;
export const preferDevice = (): void => ignoreErrors(() => localStorage.setItem(name, device));
export const preferServer = (): void => ignoreErrors(() => localStorage.removeItem(name));
