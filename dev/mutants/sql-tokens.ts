export interface Token {
  kind: 'word' | 'number' | 'string' | 'body' | 'operator' | 'mark';
  /** Words in capitals. */
  text: string;
  start: number;
  end: number;
  /** How many parentheses and brackets are open around it. */
  depth: number;
}

const SPACE = /\s+|--[^\n]*|\/\*[\s\S]*?\*\//y;
const KINDS: Array<[Token['kind'], RegExp]> = [
  ['body', /\$(\w*)\$[\s\S]*?\$\1\$/y],
  ['word', /\$\d+|"[^"]*"|[\p{L}_][\p{L}\p{N}_]*/uy],
  ['number', /\d+(\.\d+)?/y],
  ['string', /'(?:[^']|'')*'/y],
  ['operator', /::|:=|=>|\|\||<>|!=|<=|>=|->>?|@>|<@|[-<>=+*/%~^|&!?#]+/y],
  ['mark', /[\s\S]/y],
];

/** Words, numbers, strings, operators and marks of an SQL text, without comments. */
export function tokensOf(sql: string): Token[] {
  const tokens: Token[] = [];
  let [at, depth] = [0, 0];
  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    return pattern.exec(sql)?.[0] ?? null;
  };
  while (at < sql.length) {
    const space = match(SPACE);
    if (space !== null) {
      at += space.length;
      continue;
    }
    for (const [kind, pattern] of KINDS) {
      const text = match(pattern);
      if (text === null) continue;
      if (/^[)\]]$/.test(text)) depth -= 1;
      tokens.push({ kind, text: kind === 'word' ? text.toUpperCase() : text, start: at, end: at + text.length, depth });
      if (/^[([]$/.test(text)) depth += 1;
      at += text.length;
      break;
    }
  }
  return tokens;
}
