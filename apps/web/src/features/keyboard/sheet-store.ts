import { create } from 'zustand';

export const useShortcutSheet = create(() => ({ open: false }));

export const openShortcutSheet = () => useShortcutSheet.setState({ open: true });
