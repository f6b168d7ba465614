import { countries } from '@uprez/contracts/policy/billing/countries';

const names = new Intl.DisplayNames('en-US', { type: 'region' });

/** The English name of a country. */
export const countryName = (code: string): string => names.of(code) ?? code;

/** Returns the likely country for a language such as `de-CH`, or the United States if there is none. */
export function guessCountry(language: string): string {
  const { region = '' } = new Intl.Locale(language).maximize();
  return countries.includes(region) ? region : 'US';
}
