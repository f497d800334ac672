import {
  type Cost,
  ORDER_TITLES,
  otherFigures,
  SIMULATED_ORDERS,
  type SimulatedTable,
  STRATEGIES,
  WORLD_TITLES,
} from './results.ts';

const short = (cost: Cost): string => (cost === null ? '–' : `${cost.wallets}/${cost.sui}/${cost.days}`);
const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

export function markdownOf({ world, seed, projects, voters, votes, days, rows }: SimulatedTable): string {
  const heads = [
    'Strategy',
    'Wallets',
    ...SIMULATED_ORDERS.map((order) => ORDER_TITLES[order]),
    '10 SUI: at once · for good',
    'Snaps',
    'Harmed',
    'Spent',
  ];
  const body = rows.map((row) => {
    const { atOnce, lasting, snaps, harmed, spent } = otherFigures(row);
    const goals = SIMULATED_ORDERS.map(
      (order) => `${short(row.goals[order].first)} · ${short(row.goals[order].points)}`,
    );
    return [
      STRATEGIES[row.strategy],
      row.tried.toLocaleString('en-US'),
      ...goals,
      `${atOnce} · ${lasting}`,
      snaps,
      harmed,
      spent,
    ];
  });
  const [votersText, votesText] = [voters, votes].map((count) => count.toLocaleString('en-US'));
  return [
    `**${WORLD_TITLES[world]}**: ${projects} projects, ${votersText} voters, ${votesText} votes, ${days} days, seed ${seed}.`,
    '',
    line(heads),
    line(heads.map(() => '---')),
    ...body.map(line),
  ].join('\n');
}

/** The tables as they are committed: a cost on one line. */
export const jsonOf = (tables: readonly SimulatedTable[]): string =>
  `${JSON.stringify(tables, null, 2).replaceAll(/\{\s+("wallets": \d+),\s+("sui": \d+),\s+("days": \d+)\s+\}/g, '{ $1, $2, $3 }')}\n`;
