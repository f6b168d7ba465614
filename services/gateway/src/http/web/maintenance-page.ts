import type { SiteSettings } from '@uprez/contracts/schemas/settings';
import { sitePaths } from '@uprez/contracts/texts/pages';
import { escapeHtml } from './escape-html.ts';

type Site = Pick<SiteSettings, 'siteName' | 'supportEmail' | 'supportHours'>;

/** The page that visitors and users see during maintenance. It loads nothing else. */
export function makeMaintenancePage({ siteName, supportEmail, supportHours }: Site): string {
  const [name, email] = [escapeHtml(siteName), escapeHtml(supportEmail)];
  const hours = supportHours && ` Support hours: ${escapeHtml(supportHours)}.`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<meta name="robots" content="noindex" />
<title>Down for maintenance - ${name}</title>
<style>
body { margin: 0; min-height: 100vh; display: grid; place-content: center; font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 28rem; padding: 1.5rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 0.5rem; }
p { margin: 0 0 1rem; }
a { color: inherit; }
</style>
</head>
<body>
<main>
<h1>Down for maintenance</h1>
<p>${name} is being updated. Try again in a few minutes. Running jobs continue.</p>
<p>Need help? Write to <a href="mailto:${email}">${email}</a>.${hours}</p>
<p><a href="${sitePaths.auth}">Administrator sign-in</a></p>
</main>
</body>
</html>
`;
}
