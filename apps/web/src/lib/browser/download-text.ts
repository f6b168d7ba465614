export function downloadText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser keeps the blob once the download has started, so the URL can be revoked.
  setTimeout(() => URL.revokeObjectURL(url));
}
