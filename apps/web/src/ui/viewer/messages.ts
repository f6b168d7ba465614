/** Texts of the image viewer. */
export const viewerMessages = {
  region: 'Before and after',
  toolbar: 'Zoom and view',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  percent: 'Zoom in percent of the upscaled image',
  fit: 'Fit',
  fitHint: 'Fit: show the whole image',
  actual: '1:1',
  actualHint: '1:1, one image pixel on one screen pixel',
  split: 'Side by side',
  slider: 'One over the other, with a divider',
  hold: 'Hold to see the original',
} as const;
