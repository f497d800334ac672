import { isZkLogin } from '#chain/signature-limits.ts';

/** A wallet with a Google or Apple login signs for some days; the chain then rejects the signature without a reason. */
export const rejectedSignatureText = (signature: string, otherwise: string): string =>
  isZkLogin(signature)
    ? 'The Google or Apple login of this wallet has expired, or is not of this wallet. Sign in to the wallet again, then retry.'
    : otherwise;

export const EMPTY_SIGNATURE = 'The wallet sent an empty signature. Try again, or use another wallet.';
