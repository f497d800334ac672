import {
  cheaperOf,
  type Cost,
  costText,
  ORDER_TITLES,
  PATTERNS_IN_WORDS,
  type PatternId,
  PLACES,
  SIMULATED_ORDERS,
  type SimulatedTable,
  WORLD_TITLES,
} from './results.ts';

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const tableOf = (heads: readonly string[], body: ReadonlyArray<readonly string[]>): string =>
  [heads, heads.map(() => '---'), ...body].map(line).join('\n');

const cheapest = (costs: readonly Cost[]): Cost => costs.reduce(cheaperOf, null);

/** The cheapest way to each goal, by place, and what ten SUI reach, by pattern. */
export function markdownOf({ world, seed, projects, voters, votes, days, rows, tenSui, ...rest }: SimulatedTable) {
  const goals = Object.entries(PLACES).map(([place, title]) => {
    const own = rows.filter((row) => row.place === place).map((row) => row.goals);
    const cells = SIMULATED_ORDERS.map((order) => {
      const [first, points] = (['first', 'points'] as const).map((goal) =>
        costText(cheapest(own.map((one) => one[order][goal]))),
      );
      return `${first} · ${points}`;
    });
    return [title, ...cells];
  });
  const reached = Object.entries(PATTERNS_IN_WORDS).map(([pattern, title]) => {
    const { atOnce, lasting, paid } = tenSui[pattern as PatternId];
    return [title, `${atOnce}`, `${lasting}`, `${paid}`];
  });
  const [votersText, votesText] = [voters, votes].map((count) => count.toLocaleString('en-US'));
  return [
    `**${WORLD_TITLES[world]}**: ${projects} projects, ${votersText} voters, ${votesText} votes, ${days} days, seed ${seed}. Of ${rest.bystanders} honest wallets read by a failing node ${rest.harmed} lost a verified vote.`,
    tableOf(['Place', ...SIMULATED_ORDERS.map((order) => ORDER_TITLES[order])], goals),
    tableOf(['Ten SUI', 'At once', 'For good per 35 days', 'Paid per 35 days'], reached),
  ].join('\n\n');
}

/** The tables as they are committed: a cost on one line. */
export const jsonOf = (tables: readonly SimulatedTable[]): string =>
  `${JSON.stringify(tables, null, 2).replaceAll(/\{\s+("wallets": \d+),\s+("sui": \d+),\s+("days": \d+),\s+("from": "\w+")\s+\}/g, '{ $1, $2, $3, $4 }')}\n`;
