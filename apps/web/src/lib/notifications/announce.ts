import { create } from 'zustand';

/** `turn` changes with every announcement, so that a repeated text is announced again. */
export const useAnnouncement = create(() => ({ text: '', turn: 0 }));

/** Announces a text to screen readers. For milestones, not for every step. */
export const announce = (text: string): void => useAnnouncement.setState(({ turn }) => ({ text, turn: turn + 1 }));
