import { bytesToHex } from '@noble/hashes/utils.js';
import type { Hash } from '../log/hashes.ts';

export const anchorAddress = (root: Hash): string => `0x${bytesToHex(root)}`;
