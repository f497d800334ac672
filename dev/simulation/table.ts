import {
  type Cost,
  ORDER_TITLES,
  otherFigures,
  SIMULATED_ORDERS,
  type SimulatedTable,
  STRATEGIES,
  WORLD_TITLES,
} from '#shared/simulation.ts';

/** Between these lines of docs/use/standing.md the tables stand. */
const BEGIN = '<!-- npm run simulate -->';
const END = '<!-- end of npm run simulate -->';

const short = (cost: Cost): string => (cost === null ? '–' : `${cost.wallets}/${cost.sui}/${cost.days}`);
const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** A table in Markdown, for the terminal and for docs/use/standing.md. */
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

/** The document with these tables in the place of those that stand there. @throws where it has no place for them */
export function withTables(document: string, tables: readonly SimulatedTable[]): string {
  const [start, end] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (start < 0 || end < start) throw new Error('the document has no place for the tables of the simulation');
  const text = [BEGIN, ...tables.map(markdownOf), END].join('\n\n');
  return document.slice(0, start) + text + document.slice(end + END.length);
}

/** The tables as they are committed: a cost on one line. */
export const jsonOf = (tables: readonly SimulatedTable[]): string =>
  `${JSON.stringify(tables, null, 2).replaceAll(/\{\s+("wallets": \d+),\s+("sui": \d+),\s+("days": \d+)\s+\}/g, '{ $1, $2, $3 }')}\n`;
