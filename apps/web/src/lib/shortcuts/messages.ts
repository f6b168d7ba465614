/** Texts of the keyboard shortcuts dialog. */
export const keyboardMessages = {
  title: 'Keyboard shortcuts',
  open: 'Keyboard shortcuts',
  note: 'Shortcuts are disabled while you type.',
  scopes: { everywhere: 'Everywhere', image: 'With an image', viewer: 'Comparison' },
  labels: {
    palette: 'Search pages and actions',
    sheet: 'Show keyboard shortcuts',
    home: 'Go to home page',
    dashboard: 'Go to dashboard',
    toasts: 'Go to notification',
    close: 'Close dialog or menu',
    upload: 'Choose image',
    process: 'Process image',
    download: 'Download result',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    fit: 'Fit image to view',
    actual: 'Zoom to 100%',
    compare: 'Hold to show original',
  },
} as const;
