import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Project } from '#shared/contract/types.ts';
import { isReservedSlug } from '#shared/site/reserved-slugs.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject } from '#lab/testing/builders.ts';
import { newUser, type TestUser } from '#lab/testing/client.ts';
import { newDraft, pictureUrl, submitPaid } from '#lab/testing/drafts.ts';
import { ADMIN_KEYPAIR } from '#lab/testing/wallets.ts';

const server = await createTestApp();
const { db } = server.services;
const admin = await newUser(server, ADMIN_KEYPAIR);

const submit = async (changes: object, user: TestUser = admin) =>
  submitPaid<Project & { error: string; field: string; message: string }>(user, { ...(await newDraft()), ...changes });
const update = (id: number, changes: object) =>
  admin.patch<Project & { error: string; field: string; message: string }>(`/api/projects/${id}/update`, changes);

test.each([
  ['name', {}, 'Enter a project name'],
  ['name', { name: '\u200b \n' }, 'Enter a project name'],
  ['name', { name: 'x'.repeat(61) }, 'The name can be at most 60 characters long'],
  ['category', { category: '' }, 'Choose a category'],
  ['category', { category: 'defi' }, 'Choose a category'],
  ['description', { description: '   ' }, 'Enter a description'],
  ['description', { description: 'x'.repeat(201) }, 'The description can be at most 200 characters long'],
  ['imageUrl', { imageUrl: '' }, 'Please upload a project image'],
  ['twitterHandle', { twitterHandle: '' }, 'Enter a link to the X account'],
  ['twitterHandle', { twitterHandle: 'https://x.com.evil.example/a' }, 'Enter a link like https://x.com/yourproject'],
  ['website', { website: 'ftp://a.example' }, 'Enter a link that starts with https://'],
  ['website', { website: 'JAVASCRIPT:alert(1)//https://' }, 'Enter a link that starts with https://'],
  ['website', { website: 'https://user:pass@a.example' }, 'Enter a link that starts with https://'],
])('a project without a valid %s %j gets 400: %s [S5.3]', async (field, changes, message) => {
  const sent = Object.keys(changes).length > 0 ? changes : { name: undefined };
  expect(await submit(sent)).toMatchObject({ status: 400, body: { error: 'invalid_field', field, message } });
});

describe('an update [S5.4]', () => {
  test('an update refuses 201 characters and an invalid link, and then changes nothing', async () => {
    const id = await insertProject(db, { name: 'Steady' });
    expect(await update(id, { name: 'Other', description: 'x'.repeat(201) })).toMatchObject({
      status: 400,
      body: { field: 'description' },
    });
    expect(await update(id, { website: 'not a link' })).toMatchObject({ status: 400, body: { field: 'website' } });
    expect(await update(id, {})).toMatchObject({ status: 400, body: { error: 'nothing_to_change' } });
    expect((await admin.get(`/api/projects/${id}`)).body).toMatchObject({
      name: 'Steady',
      description: 'A project of a test',
    });
  });

  test.each([{}, { website: 'not a link' }])(
    'a stranger who sends the update %j gets 403 before it is read [S5.4]',
    async (changes) => {
      const id = await insertProject(db, { name: 'Not yours' });
      const stranger = await newUser(server);
      expect(await stranger.patch(`/api/projects/${id}/update`, changes)).toMatchObject({
        status: 403,
        body: { error: 'not_owner' },
      });
    },
  );

  test('an update changes only the fields sent; null removes the website; a new image has a new address [R24]', async () => {
    const { body } = await submit({});
    const changed = await update(body.id, { website: null, imageUrl: await pictureUrl(200) });
    expect(changed.body).toMatchObject({
      name: body.name,
      description: body.description,
      category: body.category,
      website: null,
    });
    expect(changed.body.imageUrl).not.toBe(body.imageUrl);
  });

  test('an update works by slug, too; an unknown project is 404', async () => {
    const { body } = await submit({});
    const response = await admin.patch<Project>(`/api/projects/${body.slug}/update`, { description: 'By its slug' });
    expect(response.body).toMatchObject({ id: body.id, description: 'By its slug' });
    expect((await admin.patch('/api/projects/no-such-project/update', { name: 'x' })).status).toBe(404);
    expect((await admin.post('/api/projects/99999999/renew', {})).status).toBe(404);
  });
});

describe('slugs [R23]', () => {
  test('a slug is the name in ASCII; a second name with the same one gets -2, a third -3', async () => {
    const slugs = [];
    for (const name of ['Café Swap!', 'cafe SWAP', 'CAFE-swap']) slugs.push((await submit({ name })).body.slug);
    expect(slugs).toEqual(['cafe-swap', 'cafe-swap-2', 'cafe-swap-3']);
  });

  // Eight: with more simultaneous pictures than one in progress and eight waiting, the rest gets a Retry-After.
  test('eight simultaneous projects with the same ASCII name get different slugs', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `Rush${'!'.repeat(index)} Hour`);
    const responses = await Promise.all(names.map((name) => submit({ name })));
    expect(new Set(responses.map((response) => response.body.slug)).size).toBe(8);
    expect(responses.map((response) => response.body.slug)).toContain('rush-hour-8');
  });

  test.each(['Admin', 'leaderboard', 'API', '2048', 'submit project', '鲨鱼', '🦈', '...'])(
    'the slug of the name %s is neither a route of ours nor a number',
    async (name) => {
      const { body } = await submit({ name });
      expect(isReservedSlug(body.slug)).toBe(false);
      expect((await admin.get(`/api/projects/${body.slug}`)).body).toMatchObject({ id: body.id, name });
    },
  );

  test('a rename gives a new slug, the old one still leads there and stays taken; renaming back restores it', async () => {
    const { body } = await submit({ name: 'Old Reef' });
    expect((await update(body.id, { name: 'New Reef' })).body.slug).toBe('new-reef');
    expect((await admin.get('/api/projects/old-reef')).body).toMatchObject({ id: body.id, slug: 'new-reef' });
    expect((await submit({ name: 'Old Reef!' })).body.slug).toBe('old-reef-2');
    expect((await update(body.id, { name: 'Old Reef' })).body.slug).toBe('old-reef');
    expect((await update(body.id, { description: 'Same name' })).body.slug).toBe('old-reef');
    // A number after a name belongs to it, another word does not.
    expect((await update(body.id, { name: 'Old' })).body.slug).toBe('old');
  });

  test('each present and former slug leads to its project, with any writer [R23]', async () => {
    const [id, other] = [await insertProject(db), await insertProject(db)];
    const slugOf = async (project: number) =>
      (await db.selectFrom('projects').select('slug').where('id', '=', project).executeTakeFirstOrThrow()).slug;
    const before = await slugOf(id);
    await sql`UPDATE projects SET slug = 'by-hand' WHERE id = ${id}`.execute(db);
    for (const ref of ['by-hand', before])
      expect((await admin.get(`/api/projects/${ref}`)).body).toMatchObject({ id, slug: 'by-hand' });
    for (const statement of [
      sql`UPDATE projects SET slug = ${before} WHERE id = ${other}`,
      sql`DELETE FROM project_slugs WHERE slug = 'by-hand'`,
      sql`UPDATE project_slugs SET slug = 'elsewhere' WHERE slug = 'by-hand'`,
      sql`UPDATE project_slugs SET project_id = ${other} WHERE slug = 'by-hand'`,
    ])
      await expect(statement.execute(db)).rejects.toThrow(/violates foreign key constraint "projects_slug_id_fkey"/);
    await sql`DELETE FROM projects WHERE id = ${id}`.execute(db);
    expect((await admin.get('/api/projects/by-hand')).status).toBe(404);
  });
});
