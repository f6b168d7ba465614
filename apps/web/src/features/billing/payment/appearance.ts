import type { Appearance } from '@stripe/stripe-js';

/** The colors of our tokens as hexadecimal numbers, since Stripe's form doesn't read OKLCH. */
const colors = {
  light: { surface: '#ffffff', ink: '#161616', muted: '#555555', edge: '#808080', danger: '#8e0f2b' },
  dark: { surface: '#1b1b1b', ink: '#eeeeee', muted: '#aaaaaa', edge: '#737373', danger: '#ff8f95' },
} as const;

/** The look of Stripe's form, close to our fields. */
export function makeAppearance(isDark: boolean): Appearance {
  const { surface, ink, muted, edge, danger } = colors[isDark ? 'dark' : 'light'];
  return {
    theme: isDark ? 'night' : 'stripe',
    labels: 'above',
    variables: {
      colorPrimary: '#d1390b',
      colorBackground: surface,
      colorText: ink,
      colorTextSecondary: muted,
      colorDanger: danger,
      borderRadius: '8px',
      fontSizeBase: '14px',
    },
    rules: { '.Input': { borderColor: edge, boxShadow: 'none' } },
  };
}
