import { create } from 'zustand';
import { persist } from 'zustand/middleware';

export const languages = {
  curl: { name: 'curl', ending: 'sh' },
  node: { name: 'Node', ending: 'mjs' },
  python: { name: 'Python', ending: 'py' },
  php: { name: 'PHP', ending: 'php' },
  go: { name: 'Go', ending: 'go' },
} as const;
export type Language = keyof typeof languages;
export const languageNames = Object.keys(languages) as [Language, ...Language[]];

/** Each exists in every language and is run by tests. */
export const exampleNames = ['image', 'upscale', 'url', 'batch', 'dry-run', 'retry', 'webhook'] as const;
export type ExampleName = (typeof exampleNames)[number];

type LanguageStore = { language: Language; choose: (language: Language) => void };

export const useLanguage = create<LanguageStore>()(
  persist((set) => ({ language: languageNames[0], choose: (language) => set({ language }) }), {
    name: 'uprez.language',
    partialize: ({ language }) => ({ language }),
    // Discards a saved language that does not exist.
    merge: (kept, now) => {
      const language = languageNames.find((name) => name === (kept as Partial<LanguageStore> | undefined)?.language);
      return language ? { ...now, language } : now;
    },
  }),
);
