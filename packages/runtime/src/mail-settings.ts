/** Settings that say where mail goes and what its links begin with. */
export const mailSettings = [
  'SMTP_HOST',
  'SMTP_PORT',
  'SMTP_USER',
  'SMTP_PASSWORD',
  'SMTP_SECURE',
  'SMTP_FROM_EMAIL',
  'SMTP_FROM_NAME',
] as const;

/** The address that people reach the product at: what is set, else this machine's own. */
export const publicUrlOf = (config: { PUBLIC_URL?: string | undefined; PORT: number }): string =>
  config.PUBLIC_URL ?? `http://localhost:${config.PORT}`;
