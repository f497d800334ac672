import { parseJson } from './page-json.ts';

export const AWAY = 'The server is away. Try again.';

interface ErrorFields {
  status: number;
  code: string;
  serverMessage: string;
  text?: string;
  field?: string | null;
  retryAfterS?: number | null;
  body?: unknown;
}

/** `message` is 'status: body message' (S8.1, R34); `code` is 'offline', with status 0, where no response of the server came. */
export class ApiError extends Error {
  declare readonly status: number;
  declare readonly code: string;
  declare readonly serverMessage: string;
  declare readonly field: string | null;
  declare readonly retryAfterS: number | null;
  declare readonly body: unknown;

  constructor({ text = '', ...fields }: ErrorFields, options?: ErrorOptions) {
    const message = fields.serverMessage || text;
    super(fields.status === 0 ? message : `${fields.status}: ${message}`, options);
    Object.assign(this, { field: null, retryAfterS: null, body: null }, fields);
  }

  static offline(cause: unknown): ApiError {
    return new ApiError({ status: 0, code: 'offline', serverMessage: AWAY }, { cause });
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value) || null;

export async function readError(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '');
  const body = Object(parseJson(text)) as Record<string, unknown>;
  const error = textOf(body.error);
  // The words of a proxy. The server's own have a code.
  if (!error && response.status > 501) return ApiError.offline(text);
  const retryAfterS = Number(response.headers.get('retry-after') ?? -1);
  return new ApiError({
    status: response.status,
    code: error ?? `http_${response.status}`,
    serverMessage: textOf(body.message) ?? error ?? '',
    text: text.trim() || response.statusText,
    field: textOf(body.field),
    retryAfterS: retryAfterS >= 0 ? retryAfterS : null,
    body,
  });
}

export function errorText(error: unknown, fallback: string): string {
  if (error instanceof ApiError) return error.serverMessage || fallback;
  return (error instanceof Error && error.message) || fallback;
}
