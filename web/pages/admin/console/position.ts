import { countChars } from '#shared/text/text.ts';

export interface Place {
  line: number;
  column: number;
  text: string;
}

export function placeOf(sqlQuery: string, position: number): Place {
  const before = Array.from(sqlQuery)
    .slice(0, Math.max(0, position - 1))
    .join('');
  const start = before.lastIndexOf('\n') + 1;
  const line = before.split('\n').length;
  const end = sqlQuery.indexOf('\n', start);
  return {
    line,
    column: countChars(before.slice(start)) + 1,
    text: sqlQuery.slice(start, end === -1 ? undefined : end),
  };
}
