/**
 * Results of `npm run simulate`: what ten SUI reach, for each way of holding the coins. They are committed (results.json); /trust says the
 * highest of them (shared/figures/lie-cost.json), and docs/use/standing.md explains them.
 */

/** Ways of holding coins, in words. */
export const PATTERNS_IN_WORDS = {
  each: 'one coin each',
  rotate: 'six coins for seven wallets, each without one on one day of seven',
  halves: 'a coin for two wallets, 18 days each',
  gaps: 'a coin for three wallets, each every third week',
  readings: 'a coin for two wallets, moved between the readings of each day',
} as const;
export type PatternId = keyof typeof PATTERNS_IN_WORDS;

/** Wallets of ten SUI: verified at one moment, verified for good per 35 days, and paid by the payout rule per 35 days. */
export interface TenSui {
  atOnce: number;
  lasting: number;
  paid: number;
}

export interface SimulatedTable {
  /** demo: the demo's data · crowd: a generated crowd. */
  world: 'demo' | 'crowd';
  seed: number;
  projects: number;
  voters: number;
  votes: number;
  days: number;
  /** The fewest days in which a coin verifies a vote for good. */
  turnDays: number;
  tenSui: Record<PatternId, TenSui>;
  /** Honest wallets that a failing node is asked for, and those of them that lost a verified vote. */
  bystanders: number;
  harmed: number;
}

export const WORLD_TITLES: Record<SimulatedTable['world'], string> = {
  demo: "The demo's data",
  crowd: 'A generated crowd',
};

export const isWorld = (name: string): name is SimulatedTable['world'] => name in WORLD_TITLES;

const HALF_YEAR_DAYS = 182;

/** The figures of /trust: the most that any pattern reached with ten SUI, over all simulated sites. */
export function lieCostOf(tables: readonly SimulatedTable[]) {
  const most = (figure: keyof TenSui): number =>
    Math.max(...tables.flatMap(({ tenSui }) => Object.values(tenSui).map((ten) => ten[figure])));
  const turnDays = Math.min(...tables.map((table) => table.turnDays));
  return {
    sui: 10,
    atOnce: most('atOnce'),
    lasting: most('lasting'),
    halfYear: Math.floor(HALF_YEAR_DAYS / turnDays) * Math.round((most('lasting') * turnDays) / 35),
    bystanders: tables.reduce((sum, { bystanders }) => sum + bystanders, 0),
    harmed: tables.reduce((sum, { harmed }) => sum + harmed, 0),
  };
}

/** Computed, not played: coins move on to new wallets after each decision. */
export function patienceText(tables: readonly SimulatedTable[]): string {
  const turnDays = Math.min(...tables.map((table) => table.turnDays));
  const turns = Math.floor(HALF_YEAR_DAYS / turnDays);
  const { sui, halfYear } = lieCostOf(tables);
  return (
    `Patience buys more: coins that move on to new wallets every ${turnDays} days verify ${halfYear} votes for good in half a year ` +
    `with ${sui} SUI, or ten with ${Math.ceil(sui / turns)} SUI in ${turns * turnDays} days.`
  );
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

export function markdownOf({ world, seed, projects, voters, votes, days, tenSui, bystanders, harmed }: SimulatedTable) {
  const [votersText, votesText] = [voters, votes].map((count) => count.toLocaleString('en-US'));
  const reached = Object.entries(PATTERNS_IN_WORDS).map(([pattern, title]) => {
    const { atOnce, lasting, paid } = tenSui[pattern as PatternId];
    return line([title, `${atOnce}`, `${lasting}`, `${paid}`]);
  });
  return [
    `**${WORLD_TITLES[world]}**: ${projects} projects, ${votersText} voters, ${votesText} votes, ${days} days, seed ${seed}. Of ${bystanders} honest wallets read by a failing node ${harmed} lost a verified vote.\n`,
    line(['Ten SUI', 'At once', 'For good per 35 days', 'Paid per 35 days']),
    line(['---', '---', '---', '---']),
    ...reached,
  ].join('\n');
}

export const jsonOf = (tables: readonly SimulatedTable[]): string => `${JSON.stringify(tables, null, 2)}\n`;
