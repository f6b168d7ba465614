/**
 * Converts an amount in dollars, such as `7`, `$7.50`, or `1,200.00`, to cents. Returns undefined if the amount is
 * invalid.
 */
export function parseCents(typed: string): number | undefined {
  const [, dollars, cents = ''] = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d{1,7})(?:\.(\d{1,2}))?$/.exec(typed.trim()) ?? [];
  if (dollars === undefined) return undefined;
  return Number(dollars.replaceAll(',', '')) * 100 + Number(cents.padEnd(2, '0'));
}
