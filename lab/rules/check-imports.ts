import { circlesOf } from './import-circles.ts';
import { type Import, readImports } from './import-graph.ts';
import { isProduct, partOf, reasonAgainst } from './import-rules.ts';

export function findForbidden(imports: readonly Import[]): string[] {
  const forbidden = imports.flatMap((found) => {
    const reason = reasonAgainst(found);
    return reason === null ? [] : [`${found.from} imports ${found.to}: ${reason}`];
  });
  const inProduct = imports.filter(({ from, to }) => to.includes('/') && isProduct(from) && isProduct(to));
  const betweenParts = inProduct.map(({ from, to }) => ({ from: partOf(from), to: partOf(to) }));
  const circles = [...circlesOf(inProduct), ...circlesOf(betweenParts)];
  return [...forbidden, ...circles.map((circle) => `a circle: ${circle.join(', ')}`)];
}

export const checkImports = async (): Promise<string[]> => findForbidden(await readImports());
