import { useSyncExternalStore } from 'react';
import { useTheme } from './theme-store.ts';

const query = '(prefers-color-scheme: dark)';
const subscribe = (changed: () => void) => {
  const list = matchMedia(query);
  list.addEventListener('change', changed);
  return () => list.removeEventListener('change', changed);
};

/** Whether the site is shown in dark colors. */
export function useIsDark(): boolean {
  const choice = useTheme((store) => store.choice);
  const isSystemDark = useSyncExternalStore(subscribe, () => matchMedia(query).matches);
  return choice === 'system' ? isSystemDark : choice === 'dark';
}
