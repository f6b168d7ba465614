import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { type Language, languageNames } from './languages.ts';

type LanguageStore = { language: Language; choose: (language: Language) => void };

/** The language of every example, as it was chosen last in this browser. */
export const useLanguage = create<LanguageStore>()(
  persist((set) => ({ language: languageNames[0], choose: (language) => set({ language }) }), {
    name: 'uprez.language',
    partialize: ({ language }) => ({ language }),
    // A language that is no longer there, or was never.
    merge: (kept, now) => {
      const language = languageNames.find((name) => name === (kept as Partial<LanguageStore> | undefined)?.language);
      return language ? { ...now, language } : now;
    },
  }),
);
