/** A response other than success: status, stable code, a sentence for people without internals (R34). */
export class HttpError extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryAfterS: number | undefined;
  readonly extra: Record<string, unknown>;

  constructor(
    status: number,
    code: string,
    message: string,
    options: { retryAfterS?: number; extra?: Record<string, unknown> } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfterS = options.retryAfterS;
    this.extra = options.extra ?? {};
  }
}

export const badRequest = (code: string, message: string, extra?: Record<string, unknown>) =>
  new HttpError(400, code, message, extra ? { extra } : {});
export const unauthorized = (code: string, message: string, extra?: Record<string, unknown>) =>
  new HttpError(401, code, message, extra ? { extra } : {});
export const paymentRequired = (message: string, amountMist: bigint) =>
  new HttpError(402, 'payment_required', message, { extra: { amountMist: amountMist.toString() } });
export const forbidden = (code: string, message: string) => new HttpError(403, code, message);
export const notFound = (code: string, message: string) => new HttpError(404, code, message);
export const conflict = (code: string, message: string) => new HttpError(409, code, message);
export const tooMany = (code: string, message: string, retryAfterS: number) =>
  new HttpError(429, code, message, { retryAfterS });
export const waitSeconds = (waitMs: number): number => Math.max(1, Math.ceil(waitMs / 1000));
export const rateLimited = (waitMs: number) =>
  tooMany('rate_limited', 'Too many requests. Please wait a moment.', waitSeconds(waitMs));
export const unavailable = (code: string, message: string, retryAfterS = 5) =>
  new HttpError(503, code, message, { retryAfterS });

export const notReadable = (waitS: number) =>
  unavailable('not_available', 'These figures could not be read. Please try again later.', waitS);

/** Refused because too many requests of its kind are open; counted, and not a failure of ours. */
export class BusyError extends HttpError {}
export const busy = (code: string, message: string, retryAfterS: number) =>
  new BusyError(503, code, message, { retryAfterS });

/** A field that a person has to correct: the page shows `message` beside the input named `field`. */
export const invalidField = (field: string, message: string) => badRequest('invalid_field', message, { field });
