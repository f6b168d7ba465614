import { ignoreErrors } from '../browser/ignore-errors.ts';

const storageKey = 'uprez.processes-on';
const device = 'device';

/** Whether the last image was processed on this device. If so, new images open on the page for local processing. */
export const prefersDevice = (): boolean => ignoreErrors(() => localStorage.getItem(storageKey)) === device;
export const preferDevice = (): void => ignoreErrors(() => localStorage.setItem(storageKey, device));
export const preferServer = (): void => ignoreErrors(() => localStorage.removeItem(storageKey));
