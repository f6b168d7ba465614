/** The README of a data export. */
export const exportReadme = (siteName: string): string => `Your ${siteName} data

This archive contains the data of your account at the time of the export. All times are in UTC. Files that end in .json
are plain text and open in any text editor or browser.

profile.json   Your profile: name, email address, plan, sign-up date, accepted terms, and two-factor authentication.
sessions.json  Your active sessions and known devices, with their IP addresses.
keys.json      Your API keys: names, limits, and usage. Their secrets are not stored.
webhooks.json  Your webhook endpoints.
jobs.json      Every image you processed: file name, options, result, and time. "image" is the name of the result in
               this archive, if it was still stored.
batches.json   Your batches: files, options, and results.
ledger.json    Every credit that was reserved, used, or refunded, and why.
mails.json     The emails we sent you, and when.
audit.json     Changes that administrators made to your account, and why.
images/        The results that were still stored. Uploads are deleted after processing, and results when they expire.

For security reasons, your password, authenticator secret, and recovery codes are not included.
`;
