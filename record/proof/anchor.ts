import { bytesToHex } from '@noble/hashes/utils.js';
import type { Hash } from '../log/hashes.ts';

/** The Sui address of a root: any client can look up its balance. */
export const anchorAddress = (root: Hash): string => `0x${bytesToHex(root)}`;
