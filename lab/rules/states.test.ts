import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Move } from '#shared/states/move.ts';
import { PAYMENT_MOVES, PAYMENT_STATES } from '#shared/states/payment.ts';
import { WITHDRAWAL_MOVES, WITHDRAWAL_STATES } from '#shared/states/withdrawal.ts';

interface Machine {
  states: readonly string[];
  moves: Readonly<Record<string, Move<string>>>;
  ends: string[];
}

const MACHINES: Array<[name: string, machine: Machine]> = [
  ['payment', { states: PAYMENT_STATES, moves: PAYMENT_MOVES, ends: ['refunded'] }],
  ['withdrawal', { states: WITHDRAWAL_STATES, moves: WITHDRAWAL_MOVES, ends: ['paid', 'rejected'] }],
];

function diagramOf({ states, moves }: Machine): string {
  const steps = Object.entries(moves).flatMap(([name, { from, to, by }]) =>
    from.map((state) => `  ${state} --> ${to}: ${name} (${by})`),
  );
  return ['```mermaid', 'stateDiagram-v2', `  [*] --> ${states[0]}`, ...steps, '```'].join('\n');
}

describe.each(MACHINES)('%s', (_name, machine) => {
  const { states, moves, ends } = machine;

  test('every state is reached from the first one', () => {
    const reached = new Set(states.slice(0, 1));
    for (let before = -1; before < reached.size;) {
      before = reached.size;
      for (const { from, to } of Object.values(moves)) if (from.some((state) => reached.has(state))) reached.add(to);
    }
    expect([...reached].toSorted()).toEqual([...states].toSorted());
  });

  test('no move leaves a final state, and every other state has a move', () => {
    const left = new Set(Object.values(moves).flatMap(({ from }) => from));
    expect(states.filter((state) => !left.has(state)).toSorted()).toEqual(ends);
  });

  test('docs/build/architecture.md draws the present moves', async () => {
    const docs = await readFile(path.join(import.meta.dirname, '../../docs/build/architecture.md'), 'utf8');
    expect(docs).toContain(diagramOf(machine));
  });
});
