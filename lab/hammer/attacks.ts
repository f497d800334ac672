import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { randomBytes } from 'node:crypto';
import { toBase58 } from '@mysten/sui/utils';
import { rawRequest } from '../testing/raw.ts';
import { chainAt, signPayment } from '../testing/chain.ts';
import { newDraft, pictureUrl, type Prepared } from '../testing/drafts.ts';
import { ADMIN_KEYPAIR, newWallet } from '../testing/wallets.ts';
import { SUBMIT_FEE_MIST } from '#shared/constants.ts';
import { type Attack, cookieOf, untilAborted, userOf } from './attack.ts';
import { BOUNDED_ATTACKS } from './bounded-attacks.ts';

const MEGABYTE = 2 ** 20;
const ZKLOGIN_FLAG = 5;

/** The longest time that the sign-in and the contract ever took. */
const longSignature = (): string => Buffer.concat([Buffer.of(ZKLOGIN_FLAG), randomBytes(14_000)]).toString('base64');

const gzipBombs: Attack = {
  name: 'gzip POSTs of 15 MB inside, anonymous',
  run({ hit, flood }, signal) {
    const body = gzipSync(Buffer.from('{},'.repeat(5 * MEGABYTE)));
    return flood(signal, 20, () => hit('POST', '/api/payments', { body, headers: { 'content-encoding': 'gzip' } }));
  },
};

const largeBodies: Attack = {
  name: 'bodies of 14 MB of brackets, signed in',
  run(attackers, signal) {
    const body = Buffer.from(`{"purpose":"submit","draft":${'['.repeat(14 * MEGABYTE)}`);
    return attackers.flood(signal, 8, (n) =>
      attackers.hit('POST', '/api/payments', { body, headers: n % 2 === 0 ? cookieOf(attackers, n) : {} }),
    );
  },
};

const unfinishedUploads: Attack = {
  name: '150 uploads that never end, 2 MB each',
  async run(attackers, signal) {
    const part = Buffer.concat([Buffer.from('{"avatarUrl":"data:image/png;base64,'), Buffer.alloc(2 * MEGABYTE, 'A')]);
    const requests = Array.from({ length: 150 }, (_, n) => {
      const user = userOf(attackers, n);
      const head = [
        `PATCH /api/users/${user.id} HTTP/1.1`,
        `x-forwarded-for: ${attackers.address}`,
        'content-type: application/json',
        `content-length: ${14 * MEGABYTE}`,
        `cookie: ${user.cookie}`,
      ];
      return rawRequest(attackers.stack.servers[n % 2 === 0 ? 0 : 1].url, head, part);
    });
    await untilAborted(signal);
    const answered = requests.filter((request) => request.hasResponse()).length;
    for (const request of requests) request.close();
    return `${answered} of ${requests.length} refused`;
  },
};

const cacheFilling: Attack = {
  name: 'leaderboards of every length, slugs in every spelling',
  async run({ hit, flood, stack }, signal) {
    const [project] = await stack.client.db.selectFrom('projects').select('slug').limit(1).execute();
    const letters = (project?.slug ?? 'project').split('');
    return flood(signal, 16, (n) => {
      if (n % 2 === 0) return hit('GET', `/api/projects/leaderboard/all?limit=${1 + ((n / 2) % 10_000)}`);
      const spelled = letters.map((letter, at) => ((n >> (at % 16)) & 1 ? letter.toUpperCase() : letter)).join('');
      return hit('GET', `/api/projects/${spelled}/reviews`);
    });
  },
};

const longSignatureOnPayment: Attack = {
  name: 'zkLogin signature of 18,668 characters on execute',
  async run(attackers, signal) {
    const user = userOf(attackers, 0);
    await attackers.stack.client.db.deleteFrom('payments').where('userId', '=', user.id).execute();
    const draft = await newDraft({ name: 'Signed again and again' });
    const prepared = await user.post<Prepared>('/api/payments', { purpose: 'submit', draft });
    const chain = chainAt(attackers.stack);
    const { bytes } = await signPayment(chain, user.wallet, SUBMIT_FEE_MIST, ADMIN_KEYPAIR.toSuiAddress());
    const path = `/api/payments/${prepared.body.paymentId}/execute`;
    const body = JSON.stringify({ bytes, signature: longSignature() });
    return attackers.flood(signal, 4, () => attackers.hit('POST', path, { body, headers: cookieOf(attackers, 0) }));
  },
};

const longSignatureOnSignIn: Attack = {
  name: 'zkLogin signature of 18,668 characters on sign-in',
  run({ hit, flood }, signal) {
    const walletAddress = newWallet().toSuiAddress();
    const body = JSON.stringify({ walletAddress, nonce: 'made-up', signature: longSignature() });
    return flood(signal, 8, () => hit('POST', '/api/auth/wallet', { body }));
  },
};

/** A blank AVIF as a data URL; a kilobyte for any number of pixels. */
async function blankAvif(side: number): Promise<string> {
  const blank = sharp({ create: { width: side, height: side, channels: 3, background: 'black' } });
  return `data:image/avif;base64,${(await blank.avif({ effort: 0 }).toBuffer()).toString('base64')}`;
}

function manyPictures(): Attack {
  let files: string[] = [];
  return {
    name: 'AVIF of 49 and of 12 megapixels, 30 at once',
    async prepare() {
      files = [await blankAvif(7000), await blankAvif(3460)];
    },
    run(attackers, signal) {
      return attackers.flood(signal, 30, (n) => {
        const body = JSON.stringify({ avatarUrl: files[n % 2] });
        const path = `/api/users/${userOf(attackers, n).id}`;
        return attackers.hit('PATCH', path, { body, headers: cookieOf(attackers, n) });
      });
    },
  };
}

const madeUpDigests: Attack = {
  name: 'made-up digests from four wallets',
  run(attackers, signal) {
    return attackers.flood(signal, 16, (n) =>
      // A project without an owner: chain lookups for it need none.
      attackers.hit('POST', '/api/projects/999999/renew', {
        body: JSON.stringify({ transactionHash: toBase58(randomBytes(32)) }),
        headers: cookieOf(attackers, n),
      }),
    );
  },
};

const unpaidDrafts: Attack = {
  name: 'orders with pictures that are never paid',
  async run(attackers, signal) {
    const draft = await newDraft({ imageUrl: await pictureUrl(90, 900, 1200) });
    return attackers.flood(signal, 8, (n) => {
      const body = JSON.stringify({ purpose: 'submit', draft: { ...draft, name: `Unpaid ${n}` } });
      return attackers.hit('POST', '/api/payments', { body, headers: cookieOf(attackers, n) });
    });
  },
};

const encodedPaths: Attack = {
  name: 'encoded paths from another site',
  run(attackers, signal) {
    const paths = ['/%61pi/auth/logout', '/api/%70rojects/1/renew', '/%61pi/votes', '/api//auth/logout'];
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    return attackers.flood(signal, 16, (n) =>
      attackers.hit('POST', paths[n % paths.length] ?? '', { headers: { ...foreign, ...cookieOf(attackers, n) } }),
    );
  },
};

const forgedAddresses: Attack = {
  name: 'forged X-Forwarded-For on sign-in',
  run({ hit, flood }, signal) {
    return flood(signal, 16, (n) =>
      hit('POST', '/api/auth/wallet', {
        body: JSON.stringify({ walletAddress: newWallet().toSuiAddress() }),
        headers: { 'x-forwarded-for': `10.${n & 255}.1.2, 203.0.113.7` },
      }),
    );
  },
};

const readFlood: Attack = {
  name: 'public pages, cards and sitemaps without end',
  async run({ hit, flood }, signal) {
    const paths = ['/sitemap.xml', '/leaderboard', '/', '/api/supply', '/api/projects?limit=50', '/api/openapi.json'];
    const statuses = await flood(signal, 16, (n) => hit('GET', paths[n % paths.length] ?? '/'));
    if (statuses.includes('404')) throw new Error(`pages that are not there were asked for: ${statuses}`);
    return statuses;
  },
};

/** Attacks from one hostile address, each closed as a class; the wait of honest users has limits. */
export const ATTACKS: readonly Attack[] = [
  gzipBombs,
  largeBodies,
  unfinishedUploads,
  cacheFilling,
  longSignatureOnPayment,
  longSignatureOnSignIn,
  manyPictures(),
  madeUpDigests,
  unpaidDrafts,
  encodedPaths,
  forgedAddresses,
  readFlood,
  ...BOUNDED_ATTACKS,
];
