import { circlesOf } from './import-circles.ts';
import { type Import, readImports } from './import-graph.ts';
import { isProduct, partOf, reasonAgainst } from './import-rules.ts';

/** Circles that are being opened: the server's subjects still reach each other through its kit. */
const isKnown = (circle: readonly string[]): boolean => circle.includes('server/services.ts');

/** A line for each forbidden import and each circle. */
export function findForbidden(imports: readonly Import[]): string[] {
  const forbidden = imports.flatMap((found) => {
    const reason = reasonAgainst(found);
    return reason === null ? [] : [`${found.from} imports ${found.to}: ${reason}`];
  });
  const inProduct = imports.filter(({ from, to }) => to.includes('/') && isProduct(from) && isProduct(to));
  const betweenParts = inProduct.map(({ from, to }) => ({ from: partOf(from), to: partOf(to) }));
  const circles = [...circlesOf(inProduct), ...circlesOf(betweenParts)].filter((circle) => !isKnown(circle));
  return [...forbidden, ...circles.map((circle) => `a circle: ${circle.join(', ')}`)];
}

/** The same for all our modules as they are. */
export const checkImports = async (): Promise<string[]> => findForbidden(await readImports());
