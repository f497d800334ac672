import { once } from 'node:events';
import net from 'node:net';
import Fastify, { type FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { clientAddress } from './client-address.ts';
import { createReadBudget } from './read-budget.ts';
import { literalUrl } from './framework-errors.ts';

/** A request as its handler meets it when the client has hung up in the meantime. */
async function requestOfGoneClient(): Promise<FastifyRequest> {
  const app = Fastify();
  const gone = Promise.withResolvers<FastifyRequest>();
  app.get('/', (request, reply) => {
    const { socket } = request.raw;
    socket.once('close', () => {
      gone.resolve(request);
      reply.hijack();
    });
    client.destroy();
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as net.AddressInfo;
  const client = net.connect(port, '127.0.0.1');
  await once(client, 'connect');
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const request = await gone.promise;
  await app.close();
  return request;
}

test('counts an IPv6 client by its network, and an IPv4 client by its address in either form', () => {
  expect(clientAddress({ ip: '203.0.113.7' })).toBe('203.0.113.7');
  expect(clientAddress({ ip: '::ffff:203.0.113.7' })).toBe('203.0.113.7');
  expect(clientAddress({ ip: '2001:db8::1' })).toBe(clientAddress({ ip: '2001:db8::2' }));
});

test('counts a client that hung up before its request is handled', async () => {
  const request = await requestOfGoneClient();
  const budget = createReadBudget(60);
  budget.charge(request, null, 1);
  expect(budget.size()).toBe(1);
  expect(clientAddress(request)).toBe('gone');
});

test.each([
  ['http://example.com/leaderboard?sort=new', '/leaderboard?sort=new'],
  ['HTTPS://example.com:8080', '/'],
  ['/leaderboard', '/leaderboard'],
])('routes the request target %s as %s', (target, url) => {
  expect(literalUrl({ url: target })).toBe(url);
});
