import { create } from 'zustand';

/** Whether the list of shortcuts is open. */
export const useShortcutSheet = create(() => ({ open: false }));

export const openShortcutSheet = () => useShortcutSheet.setState({ open: true });
