import { Monitor, Moon, Sun } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { messages } from '../../messages.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';

export const themeChoices = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof themeChoices)[number];

type ThemeStore = { choice: ThemeChoice; choose: (choice: ThemeChoice) => void };

/** Chosen theme, persisted in localStorage. A script in index.html reads the same entry before the first paint. */
export const useTheme = create<ThemeStore>()(
  persist((set) => ({ choice: 'system', choose: (choice) => set({ choice }) }), {
    name: 'uprez.theme',
    partialize: ({ choice }) => ({ choice }),
  }),
);

/**
 * Applies the theme to the document. For `system`, removes the attribute, and the style sheet follows the browser's
 * color scheme.
 */
function applyTheme(choice: ThemeChoice) {
  if (choice === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
}

const darkModeQuery = '(prefers-color-scheme: dark)';
const subscribeToDarkMode = (changed: () => void) => {
  const list = matchMedia(darkModeQuery);
  list.addEventListener('change', changed);
  return () => list.removeEventListener('change', changed);
};

export function useIsDark(): boolean {
  const choice = useTheme((store) => store.choice);
  const isSystemDark = useSyncExternalStore(subscribeToDarkMode, () => matchMedia(darkModeQuery).matches);
  return choice === 'system' ? isSystemDark : choice === 'dark';
}

export const themeIcons: Record<ThemeChoice, typeof Sun> = { system: Monitor, light: Sun, dark: Moon };
const options = themeChoices.map((value) => {
  const Icon = themeIcons[value];
  return {
    value,
    label: messages.footer.themes[value],
    icon: <Icon aria-hidden="true" strokeWidth={1.5} className="size-4" />,
  };
});

export function ThemeSwitch() {
  const { choice, choose } = useTheme();
  useEffect(() => applyTheme(choice), [choice]);
  return <Segmented legend={messages.footer.theme} legendHidden options={options} value={choice} onChange={choose} />;
}
