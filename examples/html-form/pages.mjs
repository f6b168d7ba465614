const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text) => text.replace(/[&<>"']/g, (character) => entities[character]);

const page = ({ title, body, head = '' }) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}
<title>${escapeHtml(title)}</title>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${body}
<p><a href="/">Upscale another image</a></p>
</body>
</html>`;

/** A page with an error message. */
export const errorPage = (message) => page({ title: 'Something went wrong', body: `<p>${escapeHtml(message)}</p>` });

/** The page of a job. It reloads itself until the job ends, then shows and links its result. */
export function jobPage(job) {
  if (job.status === 'completed') {
    const url = escapeHtml(job.download_url);
    const { width, height } = job.processed_size;
    const image = `<p><img src="${url}" alt="The upscaled image" style="max-width: 100%"></p>`;
    return page({ title: `${width} x ${height} pixels`, body: `${image}\n<p><a href="${url}">Download</a></p>` });
  }
  if (job.status === 'expired') return errorPage('The result has been deleted. Upload the image again.');
  if (job.error) return errorPage(job.error.message);
  const progress = `<p><progress max="100" value="${job.progress}">${job.progress}%</progress></p>`;
  return page({ title: 'Upscaling…', body: progress, head: '<meta http-equiv="refresh" content="1">' });
}
