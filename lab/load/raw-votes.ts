/** The least that counts votes: one statement and one commit each, and no rules. Forked by the benchmark; sends its port to it. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

const CAST = `
  WITH voter AS (SELECT user_id FROM sessions WHERE token_hash = $1 AND expires_at > now()),
  voted AS (INSERT INTO votes (user_id, project_id, bullish) SELECT user_id, $2, $3 FROM voter),
  project AS (UPDATE projects SET bullish = bullish + $3::int, bearish = bearish + 1 - $3::int WHERE id = $2)
  UPDATE users SET votes = votes + 1, balance = balance + 10 WHERE id = (SELECT user_id FROM voter) RETURNING id, votes, balance`;

const pool = new pg.Pool({ connectionString: process.argv[2], max: 10 });

async function cast(cookie: string, body: string): Promise<string> {
  const { projectId, voteType } = JSON.parse(body) as { projectId: number; voteType: string };
  const tokenHash = createHash('sha256')
    .update(cookie.slice(cookie.indexOf('=') + 1))
    .digest();
  const { rows } = await pool.query({
    name: 'cast',
    text: CAST,
    values: [tokenHash, projectId, voteType === 'bullish'],
  });
  return JSON.stringify(rows[0]);
}

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (part: string) => (body += part));
  request.on('end', () => {
    cast(request.headers.cookie ?? '', body).then(
      (text) => response.writeHead(200, { 'content-type': 'application/json' }).end(text),
      () => response.writeHead(500).end(),
    );
  });
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
