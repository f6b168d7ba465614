import { openTlsSite } from '@uprez/testing/network/open-tls-site';

/** A receiver that reads and discards all bodies. Sends its URL to its parent, and runs until the parent exits. */
const site = await openTlsSite((request, response) => {
  request.resume().once('end', () => response.writeHead(204).end());
});
const { address, port } = site.network.dial({ address: '93.184.215.14', port: 443 });
process.send?.({ address, port, ca: site.network.ca });
process.once('disconnect', () => process.exit());
