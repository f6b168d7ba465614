import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { type Language, languageNames } from './languages.ts';

type LanguageStore = { language: Language; choose: (language: Language) => void };

/** The language of all examples, persisted across visits. */
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
