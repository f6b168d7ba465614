/** Fields that are never stored. */
const secret = /password|secret|token|^code$/i;

/** Whether a field contains a secret, by its name. */
export const isSecretField = (name: string): boolean => secret.test(name);

type Values = Record<string, unknown>;

/** Of a form on this page, by its fields. */
const nameOf = (defaults: Values) =>
  `uprez.form.${window.location.pathname}.${Object.keys(defaults).toSorted().join()}`;

const isStorable = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

function ignoreErrors<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    // The browser denies storage, or the entry is of another version.
    return undefined;
  }
}

/** Keeps what was changed in a form in this tab, for the user who typed it, until the form is opened again. No secrets. */
export function keepValues(userId: string, defaults: Values, values: Values): void {
  const changed = Object.entries(values).filter(
    ([name, value]) => isStorable(value) && value !== (defaults[name] ?? '') && !isSecretField(name),
  );
  if (changed.length === 0) return;
  const entry = JSON.stringify({ userId, values: Object.fromEntries(changed) });
  ignoreErrors(() => sessionStorage.setItem(nameOf(defaults), entry));
}

/** Returns what this user changed in a form before the session ended. A second call returns nothing. */
export function takeValues(userId: string, defaults: Values): Values {
  return (
    ignoreErrors(() => {
      const entry = JSON.parse(sessionStorage.getItem(nameOf(defaults)) ?? 'null');
      sessionStorage.removeItem(nameOf(defaults));
      return entry?.userId === userId ? (entry.values as Values) : undefined;
    }) ?? {}
  );
}
