/** Publication date of the current terms of service, stored with each acceptance. */
export const termsVersion = '2026-11-01';
