import { create } from 'zustand';

type Announcement = {
  text: string /** Changes with every announcement, so that a repeated text is announced again. */;
  turn: number;
};

export const useAnnouncement = create<Announcement>(() => ({ text: '', turn: 0 }));

/** Announces a text to screen readers. For milestones, not for every step. */
export const announce = (text: string): void => useAnnouncement.setState(({ turn }) => ({ text, turn: turn + 1 }));
