import { create } from 'zustand';

type Announcement = { text: string /** Counts up, so that the same text can be said twice. */; turn: number };

/** What the one polite live region says now. */
export const useAnnouncement = create<Announcement>(() => ({ text: '', turn: 0 }));

/** Have screen readers say `text` when they are done with what they say. For milestones, not for every step. */
export const announce = (text: string): void => useAnnouncement.setState(({ turn }) => ({ text, turn: turn + 1 }));
