import { z } from 'zod';
import type { FuzzRequest } from './make-request.ts';
import { HANG_MS, type Response } from './send.ts';

const ErrorBody = z.object({ error: z.string().regex(/^[a-z][a-z0-9_]*$/), message: z.string().min(1).max(400) });

/** Phrases of libraries, the database and the runtime that no person should read (R34). */
const INTERNALS =
  /\bzod\b|expected .{1,40} received|invalid_type|syntaxerror|typeerror|unexpected token|is not valid json|duplicate key|violates|relation "|column "|sqlstate|econn|fst_err|\bundefined\b|\[object |node_modules|\.ts\b|\bat \/|kysely|postgres|cannot read prop/i;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The flaw of a response to any request, or null. 503 with Retry-After is allowed, and counted by the caller. */
export function findOffence({ path }: FuzzRequest, { status, headers, text }: Response): string | null {
  if (status === -1) return `no response in ${HANG_MS / 1000} s`;
  if (status === 0) return 'the server hung up without a response';
  if (status === 503) return headers['retry-after'] === undefined ? '503 without Retry-After' : null;
  if (status >= 500) return `status ${status}: ${text.slice(0, 300)}`;
  if (status < 400) return null;
  const isPage = !path.startsWith('/api/') && String(headers['content-type']).includes('html');
  if (isPage) return null;
  const body = ErrorBody.safeParse(parseJson(text));
  if (!body.success) return `status ${status} without {error, message}: ${text.slice(0, 200)}`;
  const found = INTERNALS.exec(body.data.message);
  return found ? `the message tells of internals ("${found[0]}"): ${body.data.message}` : null;
}
