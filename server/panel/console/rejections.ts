function skipToFirstWord(sqlText: string): number {
  let at = 0;
  for (;;) {
    const before = at;
    while (at < sqlText.length && /[\s(;]/.test(sqlText[at] ?? '')) at += 1;
    if (sqlText.startsWith('--', at)) at = endOfLine(sqlText, at);
    if (sqlText.startsWith('/*', at)) at = endOfComment(sqlText, at);
    if (at === before) return at;
  }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end + 1;
}

function endOfComment(text: string, from: number): number {
  let depth = 1;
  let at = from + 2;
  while (at < text.length && depth > 0) {
    if (text.startsWith('/*', at)) depth += 1;
    else if (text.startsWith('*/', at)) depth -= 1;
    else {
      at += 1;
      continue;
    }
    at += 2;
  }
  return at;
}

export function firstWord(sqlText: string): string {
  return (/^[a-z]+/i.exec(sqlText.slice(skipToFirstWord(sqlText)))?.[0] ?? '').toUpperCase();
}

const TRANSACTION = new Set(
  'BEGIN START COMMIT END ROLLBACK ABORT SAVEPOINT RELEASE PREPARE EXECUTE DEALLOCATE DISCARD DECLARE FETCH MOVE CLOSE'.split(
    ' ',
  ),
);
const SESSION = new Set(['COPY', 'LISTEN', 'NOTIFY', 'UNLISTEN', 'LOAD']);

/** Explains commands that make no sense in a transaction of one statement. Only the role's rights limit a statement. */
export function rejection(sqlText: string): string | null {
  const word = firstWord(sqlText);
  if (TRANSACTION.has(word))
    return `${word} cannot be used here: each statement has a transaction of its own, which the console ends`;
  if (SESSION.has(word)) return `${word} cannot be used in the console`;
  return null;
}

/** Whether the statement may change rows and return them: then it runs to its end, with any number of rows. */
export function mayWrite(sqlText: string): boolean {
  const word = firstWord(sqlText);
  if (word === 'WITH') return /\b(insert|update|delete|merge)\b/i.test(sqlText);
  return ['INSERT', 'UPDATE', 'DELETE', 'MERGE'].includes(word);
}
