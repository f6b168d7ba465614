/** Shows the page of the customer's bank above the page, until the customer has passed or failed 3-D Secure. */
export function openChallenge({ origin, id, clientSecret }) {
  const cover = document.createElement('div');
  cover.style.cssText =
    'align-items:center;background:rgb(0 0 0/.5);display:flex;inset:0;justify-content:center;position:fixed;z-index:2147483647';
  const frame = document.createElement('iframe');
  frame.src = `${origin}/3d_secure/${id}?${new URLSearchParams({ client_secret: clientSecret })}`;
  frame.title = '3D Secure authentication';
  frame.style.cssText = 'border:0;border-radius:8px;height:min(400px,90vh);width:min(480px,94vw)';
  cover.append(frame);
  return new Promise((resolve) => {
    const receive = ({ source, origin: sender, data }) => {
      if (source !== frame.contentWindow || sender !== origin || data?.type !== 'authenticated') return;
      window.removeEventListener('message', receive);
      cover.remove();
      resolve();
    };
    window.addEventListener('message', receive);
    document.body.append(cover);
    frame.focus();
  });
}
