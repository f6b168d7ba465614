import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { deleteJobId, findJobId, saveJobId } from './run-storage.ts';

const storage = () => {
  const entries = new Map<string, string>();
  return {
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, value: string) => entries.set(name, value),
    removeItem: (name: string) => entries.delete(name),
  };
};

beforeEach(() => {
  vi.stubGlobal('sessionStorage', storage());
  vi.stubGlobal('localStorage', storage());
});
afterEach(() => vi.unstubAllGlobals());

/** As `lib/images/image-store.ts` does. */
const showImage = (key: string) => sessionStorage.setItem('uprez.image', key);

it('finds the job of the image of the tab', () => {
  saveJobId('job');
  expect(findJobId()).toBe('job');
  showImage('a');
  saveJobId('job');
  expect(findJobId()).toBe('job');
  deleteJobId();
  expect(findJobId()).toBeUndefined();
});

it('finds no job after another page replaced the image', () => {
  showImage('a');
  saveJobId('job');
  showImage('b');
  expect(findJobId()).toBeUndefined();
});
