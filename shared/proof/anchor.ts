import { bytesToHex } from '@noble/hashes/utils.js';
import type { Hash } from '../log/hashes.ts';

/** The Sui address that a root is: any client can look its balance up. */
export const anchorAddress = (root: Hash): string => `0x${bytesToHex(root)}`;
