import type { SettingsByName } from '../context.ts';

type Values = Record<string, unknown>;

/** The fields that are never shown, listed, or restored. */
const secretFields: { [Name in keyof SettingsByName]?: readonly (keyof SettingsByName[Name] & string)[] } = {
  email: ['smtpPassword'],
};

/** Splits settings into the fields that may be shown, and the secret ones. */
export function splitSecrets(name: keyof SettingsByName, values: Values): { plain: Values; secrets: Values } {
  const secret: readonly string[] = secretFields[name] ?? [];
  const entries = Object.entries(values);
  return {
    plain: Object.fromEntries(entries.filter(([field]) => !secret.includes(field))),
    secrets: Object.fromEntries(entries.filter(([field]) => secret.includes(field))),
  };
}
