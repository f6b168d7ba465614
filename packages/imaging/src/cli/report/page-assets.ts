export const pageStyle = `
:root {
  color-scheme: light dark;
  --page: light-dark(oklch(0.985 0 0), oklch(0.185 0 0));
  --surface: light-dark(oklch(1 0 0), oklch(0.22 0 0));
  --stage: light-dark(oklch(0.925 0 0), oklch(0.145 0 0));
  --check: light-dark(oklch(0.86 0 0), oklch(0.26 0 0));
  --line: light-dark(oklch(0.89 0 0), oklch(0.31 0 0));
  --ink: light-dark(oklch(0.2 0 0), oklch(0.95 0 0));
  --muted: light-dark(oklch(0.45 0 0), oklch(0.74 0 0));
  --accent: oklch(0.57 0.21 35);
  --focus: light-dark(oklch(0.57 0.21 35), oklch(0.72 0.17 40));
}
* { box-sizing: border-box; }
body {
  margin: 0 auto;
  padding: 24px 20px 64px;
  max-width: 1200px;
  background: var(--page);
  color: var(--ink);
  font: 400 1rem/1.5 "Inter Variable", Inter, system-ui, sans-serif;
  font-variant-numeric: tabular-nums;
  -webkit-font-smoothing: antialiased;
}
header { display: grid; gap: 4px; margin-bottom: 24px; }
.brand { display: flex; align-items: center; gap: 8px; color: var(--muted); font-size: 0.875rem; font-weight: 500; }
.brand svg { width: 20px; height: 20px; color: var(--accent); }
h1, h2 { margin: 0; font-weight: 650; letter-spacing: -0.02em; overflow-wrap: anywhere; }
h1 { font-size: 1.75rem; line-height: 1.2; margin-top: 16px; }
h2 { font-size: 1.25rem; line-height: 1.35; }
section { margin-top: 48px; display: grid; gap: 12px; }
p, figure { margin: 0; }
figcaption, .note { color: var(--muted); font-size: 0.875rem; max-width: 72ch; }
.image { display: block; width: 100%; height: auto; border-radius: 0; }
.coarse { image-rendering: pixelated; }
.stage { background: var(--stage); outline: 1px solid var(--line); outline-offset: -1px; }
.checked { background: repeating-conic-gradient(var(--check) 0 25%, var(--stage) 0 50%) 0 0 / 16px 16px; }
/* As wide as there is room, and no higher than most of a screen. */
.shaped { width: min(100%, 85vh * var(--ratio)); margin-inline: auto; }
.compare { --at: 50%; position: relative; container-type: inline-size; cursor: ew-resize; touch-action: pan-y; user-select: none; }
.compare .before { clip-path: inset(0 calc(100% - var(--at)) 0 0); }
.compare .after { position: absolute; inset: 0; height: 100%; clip-path: inset(0 0 0 var(--at)); }
.compare input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; pointer-events: none; }
.compare .border { position: absolute; inset: 0 auto 0 var(--at); width: 2px; margin-left: -1px; background: #fff; box-shadow: 0 0 0 1px rgb(0 0 0 / 0.4); }
.compare .handle { position: absolute; top: 50%; left: 50%; width: 44px; height: 44px; margin: -22px; padding: 11px; border-radius: 999px; background: #fff; color: #222; border: 1px solid rgb(0 0 0 / 0.4); }
.compare:has(input:focus-visible) .handle { outline: 3px solid var(--focus); outline-offset: 2px; }
.compare .label { position: absolute; top: 8px; padding: 2px 8px; border-radius: 8px; background: rgb(0 0 0 / 0.72); color: #fff; font-size: 0.75rem; font-weight: 500; pointer-events: none; }
.compare .label.left { left: 8px; }
.compare .label.right { right: 8px; }
.legend { display: grid; gap: 4px; max-width: 420px; font-size: 0.75rem; color: var(--muted); }
.legend .ramp { height: 12px; background: linear-gradient(to right, #000, #fff); border: 1px solid var(--line); }
.legend .ends { display: flex; justify-content: space-between; }
.crops { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 320px), 1fr)); gap: 32px 24px; }
.crop, .crop figure { display: grid; gap: 8px; align-content: start; }
.crop figure { gap: 4px; }
.crop img { display: block; max-width: 100%; height: auto; }
dl { margin: 0; border: 1px solid var(--line); border-radius: 10px; background: var(--surface); overflow: hidden; }
dl > div { display: grid; grid-template-columns: 12rem 1fr; gap: 4px 16px; padding: 10px 16px; }
dl > div + div { border-top: 1px solid var(--line); }
dt { color: var(--muted); }
dd { margin: 0; overflow-wrap: anywhere; }
dd ul { margin: 0; padding-left: 1.1em; }
code { font: 0.875rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.stages { display: grid; grid-template-columns: max-content max-content 1fr; gap: 2px 12px; align-items: center; }
.stages span:nth-child(3n + 2) { text-align: right; }
.stages svg { width: 100%; height: 8px; color: var(--muted); }
@media (max-width: 640px) {
  dl > div { grid-template-columns: 1fr; }
  section { margin-top: 36px; }
}
@container (max-width: 560px) { .label span { display: none; } }
@media print { .compare input, .handle { display: none; } }
`;

/** Moves the border between both images by pointer or keyboard. */
export const pageScript = `
const view = document.querySelector('.compare');
const input = view.querySelector('input');
const show = () => {
  view.style.setProperty('--at', input.value + '%');
  input.setAttribute('aria-valuetext', Math.round(input.value) + ' % original');
};
const follow = (event) => {
  const box = view.getBoundingClientRect();
  input.value = (100 * (event.clientX - box.left)) / box.width;
  show();
};
input.addEventListener('input', show);
view.addEventListener('mousedown', (event) => event.preventDefault());
view.addEventListener('pointerdown', (event) => {
  if (event.button !== 0) return;
  view.setPointerCapture(event.pointerId);
  input.focus({ preventScroll: true });
  follow(event);
});
view.addEventListener('pointermove', (event) => view.hasPointerCapture(event.pointerId) && follow(event));
show();
`;
