import { describe, expect, test } from 'vitest';
import { SUBMIT_FEE_MIST } from '#shared/constants.ts';
import type { ProjectPage } from '#shared/contract/projects.ts';
import type { Project } from '#shared/contract/types.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { fundedWallet, pay, sharedChain } from '#lab/testing/chain.ts';
import { Client, newUser } from '#lab/testing/client.ts';
import { newDraft, prepareSubmit, submitPaid } from '#lab/testing/drafts.ts';
import { orderHash } from '#server/money/orders/read.ts';

const chain = sharedChain();
const server = await createTestApp();
const { db } = server.services;
const visitor = new Client(server.url);
const { admin } = await signInAsAdmin(server);

const COIN = `0x${'0'.repeat(61)}abc::coin::COIN`;
const pageOf = async (id: number) => (await visitor.get<ProjectPage>(`/api/v1/projects/${id}`)).body;

describe('the source of a listing [R70]', () => {
  test('a paid listing and a free one of the admin differ in pages, lists and embedded cards [R70]', async () => {
    const payer = await newUser(server, await fundedWallet(chain));
    const digest = await pay(chain, payer.wallet, SUBMIT_FEE_MIST);
    const paid = (await submitPaid<Project>(payer, await newDraft(), digest)).body;
    const free = (await submitPaid<Project>(admin, await newDraft())).body;
    const shown = { coinSource: null, ownership: 'none', subject: null, ownershipSince: null };
    expect((await pageOf(paid.id)).listing).toEqual({ source: 'paid', since: paid.createdAt, ...shown });
    expect((await pageOf(free.id)).listing).toMatchObject({ source: 'free' });
    const list = (await visitor.get<Project[]>('/api/v1/projects?sort=new')).body;
    expect(list.map(({ id, listing }) => [id, listing.source])).toEqual([
      [free.id, 'free'],
      [paid.id, 'paid'],
    ]);
    const embed = async (slug: string) => (await visitor.get<{ text: string }>(`/embed/${slug}`)).body.text;
    expect(await embed(paid.slug)).toMatch(/Paid listing since \d+ \w+ \d{4} · Ownership not proven/);
    expect(await embed(free.slug)).toContain('Free listing since');
  });
});

describe('the coin and package that a listing names [R71]', () => {
  test('stores one spelling of both, and who set them [R71]', async () => {
    const { body } = await submitPaid<Project>(
      admin,
      await newDraft({ coinType: ' 0xABC::coin::COIN ', packageId: '0xaBc' }),
    );
    expect(body).toMatchObject({
      coinType: COIN,
      packageId: COIN.split('::')[0],
      listing: { coinSource: 'moderator' },
    });
    const owner = await newUser(server);
    await db
      .updateTable('projects')
      .set({ ownerId: owner.id, coinSource: 'lister' })
      .where('id', '=', body.id)
      .execute();
    const update = (changes: object) => admin.patch<Project>(`/api/projects/${body.id}/update`, changes);
    expect((await update({ coinType: '0x0abc::coin::COIN', category: 'NFT' })).body.listing.coinSource).toBe('lister');
    expect((await update({ coinType: '0x2::sui::SUI' })).body.listing.coinSource).toBe('moderator');
    expect((await update({ coinType: null, packageId: '' })).body).toMatchObject({
      coinType: null,
      packageId: null,
      listing: { coinSource: null },
    });
  });

  test.each([
    ['coinType', 'SUI', 'Enter a coin type like 0x2::sui::SUI'],
    ['coinType', '@org/app::coin::COIN', 'Enter a coin type like 0x2::sui::SUI'],
    ['coinType', '0x2::coin::Coin<@org/app::coin::COIN>', 'Enter a coin type like 0x2::sui::SUI'],
    ['coinType', '0x2::sui::SUI<', 'Enter a coin type like 0x2::sui::SUI'],
    ['coinType', `0x2::sui::${'S'.repeat(500)}`, 'The coin type can be at most 400 characters long'],
    ['coinType', `0x2::a::B<${'0x2::a::C,'.repeat(20)}0x2::a::C>`, 'Enter a coin type like 0x2::sui::SUI'],
    ['packageId', `0x${'1'.repeat(65)}`, 'Enter the address of a package, such as 0x2'],
    ['packageId', '0x2::sui', 'Enter the address of a package, such as 0x2'],
  ])('refuses the %s %j before any money moves [R71]', async (field, text, message) => {
    const user = await newUser(server);
    const refused = { status: 400, body: { field, message } };
    expect(await prepareSubmit(user, await newDraft({ [field]: text }))).toMatchObject(refused);
    expect(await submitPaid(admin, await newDraft({ [field]: text }))).toMatchObject(refused);
  });

  test('an order without a coin keeps the identity that it had before coins were asked for [R16]', async () => {
    const user = await newUser(server);
    const draft = await newDraft();
    await prepareSubmit(user, draft);
    const stored = await db
      .selectFrom('payments')
      .select('orderHash')
      .where('userId', '=', user.id)
      .executeTakeFirstOrThrow();
    const { imageUrl, ...texts } = draft;
    const before = { ...texts, twitterHandle: 'coralswap' };
    expect(stored.orderHash).toBe(orderHash('submit', '', before, imageUrl));
  });
});
