const name = 'uprez.processes-on';
const device = 'device';

/** Whether the last image was processed on this device. New images then open on the page for it. */
export const prefersDevice = (): boolean => localStorage.getItem(name) === device;
export const preferDevice = (): void => localStorage.setItem(name, device);
export const preferServer = (): void => localStorage.removeItem(name);
