import { expect, test } from 'vitest';
import sharp from 'sharp';
import { storeImage } from '#db/images.ts';
import { PUBLIC_ORIGIN, createTestApp } from '#lab/testing/app.ts';
import { insertProject, setProject } from '#lab/testing/builders.ts';
import { Client, newUser } from '#lab/testing/client.ts';

const server = await createTestApp();
const { db } = server.services;
const visitor = new Client(server.url);
const picture = async (background: string) => {
  const bytes = await sharp({ create: { width: 30, height: 40, channels: 3, background } })
    .png()
    .toBuffer();
  return (await storeImage(db, bytes)).hash;
};

test('other sites can show the pictures that the open API names with their whole address [R53 R86]', async () => {
  const [imageHash, avatarHash] = [await picture('#268'), await picture('#826')];
  const project = await insertProject(db, { bullish: 2 });
  await setProject(db, project, { slug: 'seen', imageHash });
  const author = await newUser(server);
  await db.updateTable('users').set({ avatarHash }).where('id', '=', author.id).execute();
  await db.insertInto('reviews').values({ projectId: project, userId: author.id, content: 'Good' }).execute();
  await server.allNotified();

  const own = await visitor.get<{ imageUrl: string }>('/api/projects/seen');
  expect(own.body.imageUrl).toBe(`/images/${imageHash}.webp`);
  const open = await visitor.get<{ imageUrl: string }>('/api/v1/projects/seen');
  const list = await visitor.get<Array<{ imageUrl: string }>>('/api/v1/projects');
  const reviews = await visitor.get<Array<{ user: { avatarUrl: string } }>>(`/api/v1/projects/${project}/reviews`);
  const addresses = [open.body.imageUrl, list.body[0]?.imageUrl, reviews.body[0]?.user.avatarUrl];
  expect(addresses).toEqual([imageHash, imageHash, avatarHash].map((hash) => `${PUBLIC_ORIGIN}/images/${hash}.webp`));
  for (const address of addresses) {
    const shown = await visitor.get(new URL(address ?? '').pathname, { 'sec-fetch-site': 'cross-site' });
    expect([shown.status, shown.headers.get('cross-origin-resource-policy')]).toEqual([200, 'cross-origin']);
  }
});
