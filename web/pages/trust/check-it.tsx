import { Link } from 'wouter';
import { CodeBlock } from '../../components/values/code-block.tsx';
import { paths } from '../../lib/paths.ts';
import { useSiteConfig } from '../../lib/site.ts';
import { Card, CardTitle } from '../../ui/card.tsx';

const FILE = '/trust/verify.mjs';
const link = 'text-link underline underline-offset-4';

export function CheckIt() {
  const origin = useSiteConfig()?.origin ?? '';
  const command = `curl -O ${origin}${FILE} && node verify.mjs ${origin}`;
  return (
    <Card aria-labelledby="check" className="grid content-start gap-3">
      <CardTitle id="check">Check it</CardTitle>
      <p className="text-muted">
        Your votes: press 'Check my votes' in your{' '}
        <Link href={paths.portfolio} className={link}>
          portfolio
        </Link>
        . Everything: run this command. It needs Node 20 and nothing else.
      </p>
      <CodeBlock code={command} label="the command" />
      <p className="text-sm text-muted">
        It downloads the whole record, recomputes every figure and rank, and reports what does not match. It remembers
        what it saw, so a later run finds a rewritten history. The file is{' '}
        <a href={FILE} download className={link}>
          verify.mjs
        </a>{' '}
        (
        <a href={`${FILE}.sha256`} className={link}>
          its SHA-256
        </a>
        ). To write your own, read{' '}
        <a href="/trust/record" className={link}>
          the format of the record
        </a>
        .
      </p>
    </Card>
  );
}
