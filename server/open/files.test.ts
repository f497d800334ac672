import { beforeEach, describe, expect, test } from 'vitest';
import { ATOM_PATH } from '#shared/pages.ts';
import { PUBLIC_ORIGIN, createTestApp } from '../testing/app.ts';
import { readAtom } from '../testing/atom.ts';
import { empty, insertProject, insertUser } from '../testing/builders.ts';
import { Client } from '../testing/client.ts';
import { toAtom } from './atom.ts';

const server = await createTestApp();
const { db } = server.services;
const visitor = new Client(server.url);
beforeEach(async () => {
  await empty(db);
  server.services.cache.invalidateAll();
});

const insertReview = async (projectId: number, content: string, hidden = false) =>
  db
    .insertInto('reviews')
    .values({
      projectId,
      userId: await insertUser(db),
      content,
      ...(hidden ? { hiddenAt: new Date(), hiddenReason: 'spam' } : {}),
    })
    .execute();

async function readFeed() {
  const { status, body, headers } = await visitor.get<{ text: string }>(ATOM_PATH);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
  return readAtom(body.text, `${PUBLIC_ORIGIN}${ATOM_PATH}`);
}

describe('the Atom feed', () => {
  test('holds new listings and reviews, newest first, without what is hidden [R53]', async () => {
    expect(await readFeed()).toEqual([]);
    const project = await insertProject(db, { name: 'Lagoon' });
    const hidden = await insertProject(db, { name: 'Spam', hidden: true });
    await insertReview(project, 'Solid team');
    await insertReview(project, 'Hidden words', true);
    await insertReview(hidden, 'Of a hidden project');
    const entries = await readFeed();
    expect(entries.map(({ title, content }) => [title, content])).toEqual([
      ['Review of Lagoon', 'Solid team'],
      ['New on Snapswipe: Lagoon', 'A project of a test'],
    ]);
    expect(entries[0]?.link).toMatch(new RegExp(`^${PUBLIC_ORIGIN}/projects/project-`));
    expect(entries[1]?.id).toBe(`tag:${new URL(PUBLIC_ORIGIN).hostname},2026:projects/${project}`);
  });

  test('an entry keeps its id when its project gets another name and address [R53]', async () => {
    const project = await insertProject(db, { name: 'Before' });
    const [before] = await readFeed();
    await db.insertInto('projectSlugs').values({ slug: 'after', projectId: project }).execute();
    await db.updateTable('projects').set({ name: 'After', slug: 'after' }).where('id', '=', project).execute();
    const [after] = await readFeed();
    expect(after).toMatchObject({ title: 'New on Snapswipe: After', link: `${PUBLIC_ORIGIN}/projects/after` });
    expect(after?.id).toBe(before?.id);
  });

  test('text stays text, whatever markup and characters it holds [R53]', async () => {
    const hostile = `]]> <script>alert("1")</script> & 'x' &lt; <![CDATA[ --> ü 🚀`;
    await insertReview(await insertProject(db, { name: '<b>&amp;' }), hostile);
    const [review, listing] = await readFeed();
    expect(review).toMatchObject({ title: 'Review of <b>&amp;', content: hostile });
    expect(listing?.title).toBe('New on Snapswipe: <b>&amp;');
    // No form takes these; the database could hold them.
    const entry = { ref: 'reviews/1', path: '/', author: 'a\u0000', category: 'DeFi', at: new Date(0) };
    const text = toAtom(PUBLIC_ORIGIN, [{ ...entry, title: 'a\u0008b\uffff', text: 'c\ud800d\u000b' }]);
    expect(readAtom(text, `${PUBLIC_ORIGIN}${ATOM_PATH}`)[0]).toMatchObject({
      title: 'ab',
      author: 'a',
      content: 'cd',
    });
  });

  test('is bounded, cached with an ETag, and readable from pages of every site [R53]', async () => {
    const project = await insertProject(db);
    const userId = await insertUser(db);
    const rows = Array.from({ length: 60 }, (_, i) => ({ projectId: project, userId, content: `Review ${i}` }));
    await db.insertInto('reviews').values(rows).execute();
    expect(await readFeed()).toHaveLength(50);
    const { headers } = await visitor.get(ATOM_PATH);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    const known = { 'if-none-match': headers.get('etag') ?? '' };
    const again = await visitor.get(ATOM_PATH, known);
    expect(again.status).toBe(304);
    expect(again.headers.get('access-control-allow-origin')).toBe('*');
  });
});
