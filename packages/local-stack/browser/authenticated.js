window.parent.postMessage({ type: 'authenticated' }, '*');
