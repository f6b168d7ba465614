import { expect, it } from 'vitest';
import { announce, useAnnouncement } from './announce.ts';

it('announces the newest text, and a repeated text again', () => {
  announce('Copied');
  const { turn } = useAnnouncement.getState();
  announce('Copied');
  expect(useAnnouncement.getState()).toEqual({ text: 'Copied', turn: turn + 1 });
});
