import { createHash } from 'node:crypto';
import { OWNER, VOTER } from './accounts.ts';
import { randomFrom } from './random.ts';

/** An invented user. Except for the accounts of the Sandbox Wallet, no key of the address exists: it is a hash of a text. */
export interface DemoVoter {
  walletAddress: string;
  /** null: a user who never set a name, displayed by the shortened address. */
  username: string | null;
  twitterLink: string | null;
  telegramLink: string | null;
  curiosity: number;
  optimism: number;
  /** Days before now on which this person visited, 0 is today. */
  activeDays: number[];
  habitHour: number;
  /** Maximum number of votes. */
  votes: number;
}

export const HISTORY_DAYS = 62;
/** The habits of today's visits, and their streaks, began this many days ago. */
const RECENT_DAYS = 20;
/** Newer or less curious users have no early days: too young for standing, their votes wait. */
const NEWCOMER = { days: 8, curiosity: 0.2 };

/** The first dozen are the ones who list projects. */
export const OWNER_COUNT = 12;

const USERNAMES = `
  marlow_k inez_onchain BarnabyFlux tidewatcher quietlena ode_to_gas PixelPriya jonas_of_mist velvetgwei harborhand
  mossy_ines the_real_tuck Kaito77 noonshade saffron_dao bytebaker LadyLedger oslo_otter driftwood_dan cobaltcleo
  minty_fresco ravel gasless_gus juniper_j PatchNotes solvei umbra_lin wanderblock zed_is_bullish kiwi_kernel
  Foxglove9 teatime_tomas nova_nadia rustyanchor hexenhaus lilypadlou parable dusk_rider`
  .trim()
  .split(/\s+/);
const NAMELESS = 2;

const ACCOUNTS: Record<string, Partial<DemoVoter>> = {
  // Was here on every second or third day, and then not for four days. These votes earned 360 Snaps.
  oslo_otter: {
    walletAddress: VOTER.address,
    curiosity: 2,
    activeDays: [4, 5, 7, 9, 12, 14, 17, 20, 22, 25, 28, 31, 34, 37, 40, 43, 46, 49, 52, 55, 58, 61],
    votes: 36,
  },
  dusk_rider: { walletAddress: OWNER.address },
};

function activeDays(name: string, curiosity: number): number[] {
  const random = randomFrom(`days of ${name}`);
  // Most streaks are still running (they end today or yesterday), some ended days ago.
  const last = random.chance(0.72) ? random.int(0, 1) : random.int(2, 8);
  const length = random.chance(0.2) ? random.int(8, 16) : random.int(1, 7);
  const days = new Set<number>();
  for (let day = last; day < Math.min(last + length, RECENT_DAYS); day++) days.add(day);
  for (let extra = random.int(1, 4); extra > 0; extra--) days.add(random.int(last, RECENT_DAYS - 1));
  if (Math.max(...days) > NEWCOMER.days && curiosity > NEWCOMER.curiosity)
    for (const day of earlyDays(name)) days.add(day);
  return [...days].sort((one, other) => one - other);
}

/** Days before the recent ones, denser toward today. */
function earlyDays(name: string): number[] {
  const random = randomFrom(`early days of ${name}`);
  const span = HISTORY_DAYS - RECENT_DAYS;
  return Array.from({ length: random.int(8, 18) }, () => RECENT_DAYS + Math.floor(span * random.next() ** 1.1));
}

function describe(username: string | null, index: number): DemoVoter {
  const name = username ?? `nameless ${index}`;
  const random = randomFrom(`voter ${name}`);
  const handle = name.toLowerCase().slice(0, 15);
  const twitterLink = username !== null && random.chance(0.4) ? `https://x.com/${handle}` : null;
  const telegramLink = username !== null && random.chance(0.25) ? `https://t.me/${handle}` : null;
  const curiosity = random.range(0.05, 1);
  return {
    walletAddress: `0x${createHash('sha256').update(`snapswipe demo voter ${index}`).digest('hex')}`,
    username,
    twitterLink,
    telegramLink,
    curiosity,
    optimism: name.includes('bullish') ? 1 : random.range(0, 0.6),
    activeDays: activeDays(name, curiosity),
    habitHour: random.range(5, 23),
    votes: Infinity,
    ...ACCOUNTS[name],
  };
}

export const DEMO_VOTERS: readonly DemoVoter[] = [...USERNAMES, ...Array<null>(NAMELESS).fill(null)].map(describe);
