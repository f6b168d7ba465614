import { Monitor, Moon, Sun } from 'lucide-react';
import { useEffect } from 'react';
import { messages } from '../../messages.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { applyTheme, type ThemeChoice, themeChoices, useTheme } from './theme-store.ts';

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
