import { sql } from 'kysely';
import type { Db } from '#db/client.ts';

export async function readAccount(db: Db, userId: number): Promise<Record<string, unknown>> {
  const { rows } = await sql<{ account: Record<string, unknown> }>`
    SELECT jsonb_build_object(
      'profile', (SELECT to_jsonb(u) - 'deleted_at' FROM users u WHERE u.id = ${userId}),
      'counters', (SELECT to_jsonb(s) - ARRAY['barred_projects', 'barred_periods'] FROM user_stats s WHERE s.user_id = ${userId}),
      'projects you may not vote on for now, because an account of this wallet that was deleted did',
        (SELECT to_jsonb(s.barred_projects) FROM user_stats s WHERE s.user_id = ${userId}),
      'standing', (SELECT to_jsonb(v) FROM voter_standing v WHERE v.user_id = ${userId}),
      'sessions', (SELECT jsonb_agg(jsonb_build_object('device', s.device, 'signed_in_at', s.created_at, 'last_seen_at', s.last_seen_at,
        'expires_at', s.expires_at) ORDER BY s.created_at) FROM sessions s WHERE s.user_id = ${userId}),
      'terms that you agreed to', (SELECT jsonb_agg(to_jsonb(c) - 'user_id' ORDER BY coalesce(c.signed_in_at, c.paying_at)) FROM terms_consents c WHERE c.user_id = ${userId}),
      'notifications that you chose', (SELECT to_jsonb(p) - 'user_id' FROM push_settings p WHERE p.user_id = ${userId}),
      'browsers that get notifications', (SELECT jsonb_agg(jsonb_build_object('endpoint', b.endpoint, 'since', b.created_at)
        ORDER BY b.id) FROM push_subscriptions b WHERE b.user_id = ${userId}),
      'notifications of the last day', (SELECT jsonb_agg(jsonb_build_object('kind', m.kind, 'text', m.text, 'at', m.created_at)
        ORDER BY m.id) FROM push_messages m WHERE m.user_id = ${userId}),
      'allowances that you have used', (SELECT jsonb_agg(to_jsonb(a) - 'user_id' ORDER BY a.kind) FROM user_allowances a
        WHERE a.user_id = ${userId} AND a.kind NOT IN ('archives', 'open_archive')),
      'votes that a daily deck has asked about again',
        (SELECT jsonb_agg(to_jsonb(a) - 'user_id' ORDER BY a.project_id, a.period, a.reason) FROM asked_again a WHERE a.user_id = ${userId}),
      'daily_deck', (SELECT to_jsonb(d) FROM daily_decks d WHERE d.user_id = ${userId}),
      'secret of your votes in the public record: keep it to yourself', (SELECT encode(x.secret, 'hex') FROM voter_secrets x WHERE x.user_id = ${userId})
    ) AS account`.execute(db);
  return rows[0]?.account ?? {};
}

export async function listPictures(db: Db, userId: number): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    SELECT i.hash FROM images i WHERE i.width_px = 0 AND i.hash IN (
      SELECT avatar_hash FROM users WHERE id = ${userId} AND avatar_hash IS NOT NULL
      UNION SELECT v.image_hash FROM projects p JOIN listing_versions v ON v.project_id = p.id WHERE p.owner_id = ${userId}
      UNION SELECT draft->>'imageHash' FROM payments WHERE user_id = ${userId}) ORDER BY 1`.execute(db);
  return rows.map(({ hash }) => hash);
}

export async function readPicture(db: Db, hash: string): Promise<Buffer> {
  const row = await db
    .selectFrom('images')
    .select('bytes')
    .where('hash', '=', hash)
    .where('widthPx', '=', 0)
    .executeTakeFirst();
  return row?.bytes ?? Buffer.alloc(0);
}
