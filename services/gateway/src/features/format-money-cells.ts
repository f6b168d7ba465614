/** An amount in cents as a cell of a CSV file, with two decimals: `7.00`. */
export const moneyCell = (cents: number): string => (cents / 100).toFixed(2);

/** The code of a currency as a cell of a CSV file: `USD`. */
export const currencyCell = (currency: string): string => currency.toUpperCase();
