import { countries } from '@uprez/contracts/policy/billing/countries';
import { expect, it } from 'vitest';
import { countryName, guessCountry } from './address-form.tsx';

it('has a different name for each country', () => {
  const names = countries.map(countryName);
  expect(new Set(names).size).toBe(countries.length);
  expect(names.filter((name, index) => name === countries[index])).toEqual([]);
});

it('guesses the country of a language', () => {
  expect(['de', 'de-CH', 'en', 'en-GB', 'eo', 'es-419'].map(guessCountry)).toEqual([
    ...['DE', 'CH', 'US', 'GB', 'US', 'US'],
  ]);
});
