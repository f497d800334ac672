export interface Sorting {
  column: string;
  descending: boolean;
}

const isEmpty = (value: unknown) => value === null || value === undefined;

function compare(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one).localeCompare(String(other), undefined, { numeric: true });
}

export function sortRows<R extends Readonly<Record<string, unknown>>>(
  rows: readonly R[],
  sorting: Sorting | null,
): R[] {
  if (!sorting) return [...rows];
  const { column, descending } = sorting;
  return rows.toSorted((one, other) => {
    const [a, b] = [one[column], other[column]];
    if (isEmpty(a) || isEmpty(b)) return Number(isEmpty(a)) - Number(isEmpty(b));
    return descending ? compare(b, a) : compare(a, b);
  });
}

export function nextSorting(present: Sorting | null, column: string): Sorting | null {
  if (present?.column !== column) return { column, descending: false };
  return present.descending ? null : { column, descending: true };
}
