import { defaultFormat, factorRange, type OutputFormat } from '@uprez/contracts/picture-formats';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';

export type Settings = { scaleFactor: number; format: OutputFormat };

/** The last used factor and format, remembered across visits. */
export const useSettings = create<Settings>()(
  persist((): Settings => ({ scaleFactor: factorRange.default, format: defaultFormat }), { name: 'uprez.settings' }),
);

/** Largest factor on the slider: visitors may look, signed-in users get more. */
export const maxFactor = (signedIn: boolean): number => (signedIn ? factorRange.max : factorRange.signedOutMax);
