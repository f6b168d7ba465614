/** Placeholders of the examples for the origin and the key. */
export const placeholders = { address: 'https://uprez.example', key: 'YOUR_API_KEY' } as const;
export const secretPlaceholder = 'whsec_YOUR_SECRET';

export const fillPlaceholders = (text: string, { address, key }: Record<keyof typeof placeholders, string>): string =>
  text.replaceAll(placeholders.address, address).replaceAll(placeholders.key, key);
