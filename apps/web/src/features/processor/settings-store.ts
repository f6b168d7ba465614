import { defaultFormat, factorRange } from '@uprez/contracts/picture-formats';
import type { plans } from '@uprez/contracts/plans';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';

export type Settings = { scaleFactor: number; format: (typeof plans.free.formats)[number] };

/** The last used factor and format, remembered across visits. */
export const useSettings = create<Settings>()(
  persist((): Settings => ({ scaleFactor: factorRange.default, format: defaultFormat }), { name: 'uprez.settings' }),
);

/** Largest factor on the slider: visitors may look, signed-in users get more. */
export const maxFactor = (signedIn: boolean): number => (signedIn ? factorRange.webMax : factorRange.signedOutMax);
