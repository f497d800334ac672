interface ErrorFields {
  status: number;
  code: string;
  serverMessage: string;
  text?: string;
  field: string | null;
  retryAfterS: number | null;
  body: unknown;
}

/** `message` is 'status: body message' (S8.1, R34); `code` is 'offline', with status 0, where no response came. */
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
    this.name = 'ApiError';
    Object.assign(this, fields);
  }

  static offline(cause: unknown): ApiError {
    const serverMessage = 'The server cannot be reached. Check your connection and try again.';
    return new ApiError(
      { status: 0, code: 'offline', serverMessage, field: null, retryAfterS: null, body: null },
      { cause },
    );
  }
}

function parseJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

export async function readError(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '');
  const body = parseJson(text);
  const retryAfterS = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiError({
    status: response.status,
    code: textOf(body.error) ?? `http_${response.status}`,
    serverMessage: textOf(body.message) ?? textOf(body.error) ?? '',
    text: text.trim() || response.statusText,
    field: textOf(body.field),
    retryAfterS: Number.isFinite(retryAfterS) ? retryAfterS : null,
    body,
  });
}

export function errorText(error: unknown, fallback: string): string {
  if (error instanceof ApiError) return error.serverMessage || fallback;
  return error instanceof Error && error.message ? error.message : fallback;
}
