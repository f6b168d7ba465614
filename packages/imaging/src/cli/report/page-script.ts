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
