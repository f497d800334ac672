import { createSigner, type Signer } from '#record/log/note.ts';
import type { Config } from '#server/kit/config.ts';

/** Below this path others request this site's cosignature; its name as a witness is its host and this path. */
export const WITNESS_PATH = '/witness';

export const witnessOf = ({ witnessKey, publicOrigin }: Pick<Config, 'witnessKey' | 'publicOrigin'>): Signer | null =>
  witnessKey && createSigner(`${new URL(publicOrigin).host}${WITNESS_PATH}`, witnessKey, 'cosignature');
