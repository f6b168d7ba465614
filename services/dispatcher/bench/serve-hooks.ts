import { openTlsSite } from '@uprez/testing/open-tls-site';

/** A receiver that reads every body and keeps nothing; tells where it is, and serves until its parent is gone. */
const site = await openTlsSite((request, response) => {
  request.resume().once('end', () => response.writeHead(204).end());
});
const { address, port } = site.network.dial({ address: '93.184.215.14', port: 443 });
process.send?.({ address, port, ca: site.network.ca });
process.once('disconnect', () => process.exit());
