import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { Transaction } from '@mysten/sui/transactions';
import { normalizeStructTag } from '@mysten/sui/utils';
import type { Notice } from '#shared/contract/notices.ts';
import type { OwnershipProof } from '#shared/contract/ownership.ts';
import type { Project } from '#shared/contract/types.ts';
import { fromBase64Url } from '#record/entries/base64url.ts';
import { ownerHash } from '#record/entries/sealed.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { createTestApp, startServer } from '#lab/testing/app.ts';
import { insertProject, setProject } from '#lab/testing/builders.ts';
import { fund, send, sharedChain, fundedWallet, pay } from '#lab/testing/chain.ts';
import { startChainProxy } from '#lab/testing/chain-proxy.ts';
import { Client, newUser, type TestUser } from '#lab/testing/client.ts';
import { deleteAccount } from '#lab/testing/deletion.ts';
import { logKey, publishAll, readLog } from '#lab/testing/record.ts';
import { newWallet } from '#lab/testing/wallets.ts';
import {
  makeObjects,
  type OwnCoin,
  publishCoin,
  sendObject,
  upgradePackage,
} from '#packages/sandbox/testing/own-coins.ts';
import { recheckOwnership } from './recheck.ts';
import { SUBMIT_FEE_MIST, UPDATE_FEE_MIST } from '#shared/constants.ts';
import type { ProjectPage } from '#shared/contract/projects.ts';
import { newDraft, prepareSubmit, submitPaid } from '#lab/testing/drafts.ts';

const chain = sharedChain();
const server = await createTestApp({ env: { LOG_PRIVATE_KEY: logKey() } });
const { services } = server;
const { db } = services;
const visitor = new Client(server.url);

const newOwner = async (): Promise<TestUser> => {
  const user = await newUser(server);
  await fund(chain, user.address);
  return user;
};
const publish = (user: TestUser, names?: { module: string; name: string }) =>
  publishCoin(chain.client, user.wallet, names);

interface Named {
  coinType?: string;
  packageId?: string;
  coinSource?: 'lister' | 'catalogue' | 'moderator';
}
/** A listing of the user that names this. */
async function list(user: TestUser, named: Named): Promise<number> {
  const id = await insertProject(db, { ownerId: user.id });
  await setProject(db, id, { coinType: null, ...named });
  return id;
}

const prove = (user: Client, id: number) =>
  user.post<Project['listing'] & { error: string; message: string }>(`/api/projects/${id}/ownership`, {});
const stateOf = async (id: number) => (await visitor.get<Project>(`/api/v1/projects/${id}`)).body.listing.ownership;
const proofOf = async (id: number) =>
  (await visitor.get<{ proof: OwnershipProof | null }>(`/api/v1/projects/${id}/ownership`)).body.proof;
const act = (user: TestUser, transaction: ReturnType<typeof sendObject>) => {
  transaction.setSenderIfNotSet(user.address);
  return send(chain, [user.wallet], transaction);
};
const moveCap = (user: TestUser, id: string, to = newWallet().toSuiAddress()) => act(user, sendObject(id, to));
const upgrade = (user: TestUser, coin: OwnCoin) => upgradePackage(chain.client, user.wallet, coin);
const weekLater = (id: number) =>
  sql`UPDATE ownerships SET checked_at = checked_at - interval '8 days' WHERE project_id = ${id}`.execute(db);

const panel = await signInAsAdmin(server);
const { admin } = panel;
const setCoin = (id: number, coinType: string | null) =>
  panel.post(`/api/admin/projects/${id}/coin`, { coinType, packageId: null, reason: 'Named on the website' });

describe('proofs of ownership [R71]', () => {
  test("a wallet with the cap of a coin that its lister typed has the state 'controls', not 'proven' [R71]", async () => {
    const owner = await newOwner();
    const coin = await publish(owner);
    const id = await list(owner, { coinType: coin.coinType });
    expect(await prove(owner, id)).toMatchObject({
      status: 200,
      body: { ownership: 'controls', subject: coin.coinType, coinSource: 'lister' },
    });
    const proof = await proofOf(id);
    expect(proof).toMatchObject({
      state: 'controls',
      wallet: owner.address,
      objectType: `0x2::coin::TreasuryCap<${coin.coinType}>`,
      objectId: coin.treasuryCap,
      objectVersion: expect.stringMatching(/^\d+$/),
      checkpoint: expect.stringMatching(/^\d+$/),
    });
  });

  test.each([
    ['publisher', ({ packageId }: OwnCoin) => ({ packageId }), 'treasuryCap', 'upgradeCap'],
    ['upgradeCap', ({ packageId }: OwnCoin) => ({ packageId }), 'treasuryCap', 'publisher'],
    ['upgradeCap', ({ coinType }: OwnCoin) => ({ coinType }), 'treasuryCap', 'publisher'],
  ] as const)(
    'the %s of a package proves ownership too, and a wallet without it proves nothing [R71]',
    async (held, naming, one, other) => {
      const owner = await newOwner();
      const coin = await publish(owner);
      const id = await list(owner, { ...naming(coin), coinSource: 'catalogue' });
      await moveCap(owner, coin[one]);
      await moveCap(owner, coin[other]);
      expect((await prove(owner, id)).body).toMatchObject({ ownership: 'proven' });
      expect((await proofOf(id))?.objectId).toBe(coin[held]);
      const second = await list(owner, naming(coin));
      await moveCap(owner, coin[held]);
      expect(await prove(owner, second)).toMatchObject({ status: 409, body: { error: 'not_held' } });
    },
  );

  test('a coin of the same name in another package proves nothing about this one [R71]', async () => {
    const [owner, copycat] = [await newOwner(), await newOwner()];
    const names = { module: 'tide', name: 'TIDE' };
    const [coin, copy] = [await publish(owner, names), await publish(copycat, names)];
    const stolen = await list(copycat, { coinType: coin.coinType, coinSource: 'moderator' });
    expect(await prove(copycat, stolen)).toMatchObject({ status: 409, body: { error: 'not_held' } });
    const own = await list(copycat, { coinType: copy.coinType });
    expect((await prove(copycat, own)).body).toMatchObject({ ownership: 'controls', subject: copy.coinType });
  });

  test('objects that only look like caps prove nothing [R71]', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const coin = await publish(other);
    const fakes = [
      `0xbad::coin::TreasuryCap<${coin.coinType}>`,
      '0xbad::package::UpgradeCap',
      '0xbad::package::Publisher',
    ];
    await act(owner, makeObjects(owner.address, fakes.map(normalizeStructTag)));
    const id = await list(owner, { coinType: coin.coinType, packageId: coin.packageId });
    expect(await prove(owner, id)).toMatchObject({ status: 409, body: { error: 'not_held' } });
  });

  test('caps of a package prove a listing that names a later version, even after another upgrade [R71]', async () => {
    const [owner, stranger] = [await newOwner(), await newOwner()];
    const coin = await publish(owner);
    const packageId = await upgrade(owner, coin);
    const id = await list(owner, { packageId });
    expect((await prove(owner, id)).body).toMatchObject({ ownership: 'controls', subject: coin.packageId });
    expect((await proofOf(id))?.objectId).toBe(coin.publisher);
    await moveCap(owner, coin.publisher);
    expect((await prove(owner, id)).body).toMatchObject({ ownership: 'controls', subject: coin.packageId });
    await upgrade(owner, coin);
    await weekLater(id);
    expect(await recheckOwnership(services)).toBe(0);
    await upgrade(stranger, await publish(stranger));
    const stolen = await list(stranger, { packageId });
    expect(await prove(stranger, stolen)).toMatchObject({ status: 409, body: { error: 'not_held' } });
  });

  test('a proof is refused to visitors, for a listing without a coin or a hidden one, and after too many tries [R71]', async () => {
    const [owner, stranger] = [await newOwner(), await newOwner()];
    const coin = await publish(stranger);
    const id = await list(owner, { coinType: coin.coinType });
    expect(await prove(visitor, id)).toMatchObject({ status: 401 });
    expect(await prove(owner, 999_999_999)).toMatchObject({ status: 404 });
    const bare = await list(owner, {});
    expect(await prove(owner, bare)).toMatchObject({ status: 409, body: { error: 'nothing_named' } });
    await setProject(db, bare, { hiddenAt: new Date() });
    expect(await prove(owner, bare)).toMatchObject({ status: 409, body: { error: 'project_hidden' } });
    const tries = await Promise.all(Array.from({ length: 15 }, () => prove(owner, id)));
    const more = await Promise.all(Array.from({ length: 6 }, () => prove(owner, id)));
    expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([409]));
    expect(more.filter(({ status }) => status === 429)).not.toEqual([]);
  });

  test('a proof reads a bounded number of caps, and says what to do with more [R71]', async () => {
    const owner = await newOwner();
    const coin = await publish(owner);
    await moveCap(owner, coin.treasuryCap);
    for (let round = 0; round < 6; round += 1) {
      const many = new Transaction();
      for (let n = 0; n < 90; n += 1) {
        const made = many.moveCall({
          target: '0x534e415053::maker::publish',
          arguments: [many.pure.string('dust'), many.pure.string('DUST')],
        });
        many.transferObjects(
          [0, 1, 2].map((part) => made[part] ?? made),
          owner.address,
        );
      }
      await act(owner, many);
    }
    const stranger = await newOwner();
    const id = await list(owner, { packageId: (await publish(stranger)).packageId });
    expect(await prove(owner, id)).toMatchObject({ status: 409, body: { error: 'too_many_objects' } });
  }, 120_000);
});

describe('ownership over time [R71]', () => {
  test('a moderator who sets the coin turns control into proven ownership, and another coin ends it [R71]', async () => {
    const owner = await newOwner();
    const coin = await publish(owner);
    const id = await list(owner, { coinType: coin.coinType });
    await prove(owner, id);
    expect((await setCoin(id, coin.coinType)).status).toBe(200);
    expect(await stateOf(id)).toBe('proven');
    const { body: notices } = await owner.get<{ notices: Notice[] }>(`/api/users/${owner.id}/notices`);
    expect(JSON.stringify(notices)).toContain('A moderator set the coin');
    expect(await setCoin(id, 'SUI')).toMatchObject({ status: 400, body: { field: 'coinType' } });
    await setCoin(id, '0x2::sui::SUI');
    expect(await stateOf(id)).toBe('lost');
    await setCoin(id, coin.coinType);
    expect(await stateOf(id)).toBe('lost');
    expect((await prove(owner, id)).body.ownership).toBe('proven');
  });

  test("an update by the owner makes the coin the owner's own statement again [R71]", async () => {
    const owner = await newOwner();
    const coin = await publish(owner);
    const id = await list(owner, { coinType: coin.coinType, coinSource: 'moderator' });
    await prove(owner, id);
    await setProject(db, id, { packageId: coin.packageId, coinSource: 'lister' });
    expect(await stateOf(id)).toBe('controls');
  });

  test('two listings of one coin are never both proven [R71]', async () => {
    const owner = await newOwner();
    const coin = await publish(owner);
    const [one, other] = [
      await list(owner, { coinType: coin.coinType, coinSource: 'moderator' }),
      await list(owner, { coinType: coin.coinType, coinSource: 'moderator' }),
    ];
    const both = await Promise.all([prove(owner, one), prove(owner, other)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const third = await list(owner, { coinType: coin.coinType });
    expect((await prove(owner, third)).body.ownership).toBe('controls');
    expect(await setCoin(third, coin.coinType)).toMatchObject({ status: 409, body: { error: 'proven_elsewhere' } });
  });

  test.each([
    ['package', ({ packageId }: OwnCoin, version: string) => ({ packageId: version || packageId })],
    [
      'coin',
      ({ coinType, packageId }: OwnCoin, version: string) => ({
        coinType: coinType.replace(packageId, version || packageId),
      }),
    ],
  ])(
    'two listings that name two versions of one %s are never both proven or accepted [R71 R72]',
    async (_kind, naming) => {
      const owner = await newOwner();
      const coin = await publish(owner);
      const [second, third] = [await upgrade(owner, coin), await upgrade(owner, coin)];
      const [one, other, last] = [
        await list(owner, { ...naming(coin, ''), coinSource: 'moderator' }),
        await list(owner, { ...naming(coin, second), coinSource: 'moderator' }),
        await list(owner, naming(coin, third)),
      ];
      const both = await Promise.all([prove(owner, one), prove(owner, other)]);
      expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
      const accepted = await panel.post(`/api/admin/projects/${last}/ownership`, { reason: 'By hand' });
      expect(accepted).toMatchObject({ status: 409, body: { error: 'proven_elsewhere' } });
      expect((await prove(owner, last)).body.ownership).toBe('controls');
      const { coinType, packageId } = await db
        .selectFrom('projects')
        .select(['coinType', 'packageId'])
        .where('id', '=', last)
        .executeTakeFirstOrThrow();
      const set = await panel.post(`/api/admin/projects/${last}/coin`, { coinType, packageId, reason: 'Looked at' });
      expect(set).toMatchObject({ status: 409, body: { error: 'proven_elsewhere' } });
      const fourth = naming(coin, await upgrade(owner, coin));
      const updated = await admin.patch(`/api/projects/${last}/update`, fourth);
      expect(updated).toMatchObject({ status: 409, body: { error: 'project_proven_elsewhere' } });
      expect(await stateOf(last)).toBe('controls');
    },
  );

  test('an update to another version of the package keeps the proof, and one to a package of others ends it [R71]', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const [coin, foreign] = [await publish(owner), await publish(other)];
    const second = await upgrade(owner, coin);
    const id = await list(owner, { packageId: coin.packageId, coinSource: 'moderator' });
    expect((await prove(owner, id)).body.ownership).toBe('proven');
    const update = async (packageId: string) => {
      const transactionHash = await pay(chain, owner.wallet, UPDATE_FEE_MIST);
      const sent = { packageId, transactionHash };
      return (await owner.patch<Project>(`/api/projects/${id}/update`, sent)).body.listing;
    };
    expect(await update(second)).toMatchObject({ ownership: 'controls', subject: coin.packageId });
    await weekLater(id);
    expect(await recheckOwnership(services)).toBe(0);
    expect(await stateOf(id)).toBe('controls');
    expect(await update(foreign.packageId)).toMatchObject({ ownership: 'lost' });
  });

  test('a proof counts as control only until the recheck knows which package an update names [R68 R71]', async () => {
    const owner = await newOwner();
    const coin = await publish(owner);
    const [id, made] = [
      await list(owner, { packageId: coin.packageId, coinSource: 'moderator' }),
      await list(owner, { coinType: coin.coinType, coinSource: 'moderator' }),
    ];
    for (const one of [id, made]) expect((await prove(owner, one)).body.ownership).toBe('proven');
    // No server asked the chain about these.
    await setProject(db, id, { packageId: await upgrade(owner, coin) });
    await setProject(db, made, { coinType: `${newWallet().toSuiAddress()}::coin::COIN` });
    expect([await stateOf(id), await stateOf(made)]).toEqual(['controls', 'controls']);
    expect(await recheckOwnership(services)).toBe(1);
    expect([await stateOf(id), await stateOf(made)]).toEqual(['proven', 'lost']);
  });

  test('a cap that moved while it was checked proves nothing, and one that moves later ends the proof within a week [R71]', async () => {
    const owner = await newOwner();
    const coin = await publish(owner);
    const id = await list(owner, { coinType: coin.coinType, coinSource: 'catalogue' });
    await prove(owner, id);
    await weekLater(id);
    expect(await recheckOwnership(services)).toBe(0);
    expect(await stateOf(id)).toBe('proven');
    for (const cap of [coin.treasuryCap, coin.upgradeCap, coin.publisher]) await moveCap(owner, cap);
    expect(await recheckOwnership(services)).toBe(0);
    await weekLater(id);
    expect(await recheckOwnership(services)).toBe(1);
    expect(await stateOf(id)).toBe('lost');
    const { body } = await owner.get<{ notices: Notice[] }>(`/api/users/${owner.id}/notices`);
    expect(JSON.stringify(body)).toContain('no longer controls the coin');
    expect(await prove(owner, id)).toMatchObject({ status: 409, body: { error: 'not_held' } });
  });

  test('no wallet loses or gains a proof while the node is away [R68 R71]', async () => {
    const proxy = await startChainProxy(chain.rpcUrl);
    const apart = await startServer(server.databaseUrl, { env: { SUI_RPC_URL: proxy.url } });
    const owner = await newOwner();
    const coin = await publish(owner);
    const id = await list(owner, { coinType: coin.coinType });
    await prove(owner, id);
    await weekLater(id);
    proxy.fail('all', 'unavailable');
    expect(await recheckOwnership(apart.services)).toBe(0);
    const again = Object.assign(new Client(apart.url), { cookie: owner.cookie });
    expect(await prove(again, id)).toMatchObject({ status: 503, body: { error: 'chain_away' } });
    expect(await stateOf(id)).toBe('controls');
    proxy.heal();
    expect(await recheckOwnership(apart.services)).toBe(0);
    proxy.close();
    await apart.close();
  });

  test('the admin can accept a proof by hand when the cap is burnt, and it is not rechecked [R71]', async () => {
    const owner = await newOwner();
    const coin = await publish(owner);
    const id = await list(owner, { coinType: coin.coinType });
    await moveCap(owner, coin.treasuryCap, `0x${'0'.repeat(64)}`);
    const accept = (reason: string) => panel.post(`/api/admin/projects/${id}/ownership`, { reason });
    expect((await accept('')).status).toBe(400);
    expect((await accept('The team confirmed it on its website')).status).toBe(200);
    await weekLater(id);
    expect(await recheckOwnership(services)).toBe(0);
    expect(await proofOf(id)).toMatchObject({
      state: 'accepted',
      objectId: null,
      reason: 'The team confirmed it on its website',
    });
    const bare = await list(owner, {});
    expect((await panel.post(`/api/admin/projects/${bare}/ownership`, { reason: 'x' })).status).toBe(409);
  });

  test('after a deletion only the hash of a proof is left [R55 R67]', async () => {
    const owner = await newOwner();
    const coin = await publish(owner);
    const id = await list(owner, { coinType: coin.coinType });
    await prove(owner, id);
    const hash = (await proofOf(id))?.hash;
    expect((await deleteAccount(owner)).status).toBe(200);
    expect(await proofOf(id)).toMatchObject({ state: 'lost', wallet: null, salt: null, objectId: null, hash });
  });
});

test('the public record has each proof and its loss, with a hash that every reader can compute [R71 R63]', async () => {
  const owner = await newOwner();
  const coin = await publish(owner);
  const id = await list(owner, { coinType: coin.coinType });
  await prove(owner, id);
  await prove(owner, id);
  await setCoin(id, coin.coinType);
  const proof = await proofOf(id);
  await setCoin(id, null);
  await sql`UPDATE ownership_events SET created_at = created_at - interval '1 day'`.execute(db);
  await setCoin(id, coin.coinType);
  await prove(owner, id);
  await publishAll(services);
  const entries = (await readLog(server.url)).entries.filter(
    (entry) => entry.kind === 'owner' && entry.projectId === id,
  );
  const salt = fromBase64Url(proof?.salt ?? '', 16) ?? new Uint8Array();
  const { wallet, subject, objectType, objectId, objectVersion, checkpoint } = proof ?? {};
  const texts = { wallet, subject, objectType, objectId, objectVersion, checkpoint };
  const hash = ownerHash(
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text ?? ''])) as never,
    salt,
  );
  expect(entries).toMatchObject([
    { state: 'controls', hash },
    { state: 'proven', hash },
    { state: 'lost', hash },
    { state: 'proven', hash: (await proofOf(id))?.hash },
  ]);
  expect(entries).toHaveLength(4);
});

const COIN = `0x${'0'.repeat(61)}abc::coin::COIN`;
const pageOf = async (id: number) => (await visitor.get<ProjectPage>(`/api/v1/projects/${id}`)).body;

test('pages, lists and embedded cards tell a paid listing from a free one of the admin [R70]', async () => {
  const payer = await newUser(server, await fundedWallet(chain));
  const digest = await pay(chain, payer.wallet, SUBMIT_FEE_MIST);
  const paid = (await submitPaid<Project>(payer, await newDraft(), digest)).body;
  const free = (await submitPaid<Project>(admin, await newDraft())).body;
  const shown = { coinSource: null, ownership: 'none', subject: null, ownershipSince: null };
  expect((await pageOf(paid.id)).listing).toEqual({ source: 'paid', since: paid.createdAt, ...shown });
  expect((await pageOf(free.id)).listing).toMatchObject({ source: 'free' });
  const list = (await visitor.get<Project[]>('/api/v1/projects?sort=new')).body;
  expect(list.slice(0, 2).map(({ id, listing }) => [id, listing.source])).toEqual([
    [free.id, 'free'],
    [paid.id, 'paid'],
  ]);
  const embed = async (slug: string) => (await visitor.get<{ text: string }>(`/embed/${slug}`)).body.text;
  expect(await embed(paid.slug)).toMatch(/Paid listing since \d+ \w+ \d{4} · Ownership not proven/);
  expect(await embed(free.slug)).toContain('Free listing since');
});

describe('the coin and package that a listing names [R71]', () => {
  test('a listing stores one spelling of its coin and package, and who set them [R71]', async () => {
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
    await setProject(db, body.id, { ownerId: owner.id, coinSource: 'lister' });
    const update = (changes: object) => admin.patch<Project>(`/api/projects/${body.id}/update`, changes);
    expect((await update({ coinType: '0x0abc::coin::COIN', category: 'NFT' })).body.listing.coinSource).toBe('lister');
    const both = { coinType: '0x2::sui::SUI', packageId: '0x2' };
    expect((await update(both)).body.listing.coinSource).toBe('moderator');
    expect((await update({ coinType: null, packageId: '' })).body).toMatchObject({
      coinType: null,
      packageId: null,
      listing: { coinSource: null },
    });
  });

  test('an admin who changes only the coin does not set the package that the lister typed [R74 R71]', async () => {
    const owner = await newUser(server);
    const id = await list(owner, { coinType: COIN, packageId: `0x${'0'.repeat(61)}fff` });
    const update = (changes: object) => admin.patch<Project>(`/api/projects/${id}/update`, changes);
    expect((await update({ coinType: '0x2::sui::SUI' })).body.listing.coinSource).toBe('lister');
    expect((await update({ packageId: null })).body.listing.coinSource).toBe('lister');
    expect((await update({ coinType: COIN })).body.listing.coinSource).toBe('moderator');
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
  ])('a listing with the %s %j is refused before any money moves [R71]', async (field, text, message) => {
    const user = await newUser(server);
    const refused = { status: 400, body: { field, message } };
    expect(await prepareSubmit(user, await newDraft({ [field]: text }))).toMatchObject(refused);
    expect(await submitPaid(admin, await newDraft({ [field]: text }))).toMatchObject(refused);
  });
});
