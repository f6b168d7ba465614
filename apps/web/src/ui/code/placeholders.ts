/** What the examples name where a reader's own address and key belong. */
export const placeholders = { address: 'https://uprez.example', key: 'YOUR_API_KEY' } as const;
/** Likewise of an endpoint of theirs, which no page shows. */
export const secretPlaceholder = 'whsec_YOUR_SECRET';

/** An example for an address and a key. */
export const fillIn = (text: string, { address, key }: Record<keyof typeof placeholders, string>): string =>
  text.replaceAll(placeholders.address, address).replaceAll(placeholders.key, key);
