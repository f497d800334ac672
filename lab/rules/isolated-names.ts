import { parseSync, Visitor } from 'vite';

/** Expressions whose value users chose, by their last word or by the function that reads them. */
const OF_USERS =
  /(?:\b(?:project|draft|review|proof|listing|lookAlike|nextAbove|top|card|view|row|other|first|vote|found|changes|before|payment|voter|user|one|reported|draftOf\(payment\))\??\.name|\b(?:projectName|username|author|owner|oldName|otherName)|\b(?:displayName|nameText|nameOf)\([^()]*\))$/;
/** Files in which a plain `name`, or `other` for a look-alike, comes from users too. */
const NAME_IS_OF_USERS =
  /^(?:web\/(?:pages\/(?:project|portfolio|home|insights|leaderboard|admin\/moderation\/appeals|admin\/listings\/(?:name-reviews|project-coin))|components\/(?:listing|follow|values)|deck|voting|offline)|shared\/(?:badge\/|atom|leading-share|change-text|listing-source|structured-data)|server\/(?:panel\/moderation|people\/(?:notices|follows|reviews)|money\/orders))/;

interface Node {
  type: string;
  start: number;
  end: number;
}

/** Texts of users in a template or between words of JSX without isolation. */
export function bareNames(file: string, source: string): string[] {
  const found: string[] = [];
  const tagged = new Set<number>();
  const isOfUsers = ({ type, start, end }: Node): boolean => {
    const text = source.slice(start, end);
    if (type === 'Identifier' && /^(?:name|other)$/.test(text)) return NAME_IS_OF_USERS.test(file);
    return !text.startsWith('isolated(') && !text.startsWith('SUBJECTS') && OF_USERS.test(text);
  };
  /** Labels are read aloud, and nothing follows a name at their end. */
  const labels = new Set<number>();
  const note = (node: Node): void => {
    if (isOfUsers(node)) found.push(`${file}: ${source.slice(node.start, node.end)}`);
  };
  new Visitor({
    TaggedTemplateExpression: ({ quasi }) => void tagged.add(quasi.start),
    JSXAttribute: ({ name, value }) => {
      if (name.name === 'aria-label' && value?.type === 'JSXExpressionContainer') labels.add(value.expression.start);
    },
    TemplateLiteral: ({ start, quasis, expressions }) => {
      if (tagged.has(start) || !quasis.some(({ value }) => value.raw.includes(' '))) return;
      const isLastSpoken = labels.has(start) && quasis.at(-1)?.value.raw === '';
      expressions.slice(0, isLastSpoken ? -1 : undefined).forEach(note);
    },
    JSXElement: ({ openingElement, children }) => {
      const { name, attributes } = openingElement;
      const isIsolating = name.type === 'JSXIdentifier' && /^(?:Name|bdi|option)$/.test(name.name);
      const hasDirection = attributes.some(
        (one) => one.type === 'JSXAttribute' && one.name.type === 'JSXIdentifier' && one.name.name === 'dir',
      );
      if (isIsolating || hasDirection) return;
      for (const child of children) if (child.type === 'JSXExpressionContainer') note(child.expression);
    },
  }).visit(parseSync(file, source).program);
  return found;
}
