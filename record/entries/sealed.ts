import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { toBase64Url } from './base64url.ts';

/** Salted hashes of facts that the site shows besides the record and may have to blank later (docs/use/record.md). */

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

function withLength(text: string): Uint8Array {
  const bytes = utf8(text);
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, bytes.length);
  return concatBytes(length, bytes);
}

const sealed = (context: string, salt: Uint8Array, texts: readonly string[]): string =>
  toBase64Url(sha256(concatBytes(utf8(`${context}\n`), salt, ...texts.map(withLength))));

/** Content of a version of a listing; texts as the site shows them, empty if there is none. */
export interface ListingVersion {
  name: string;
  handle: string;
  website: string;
  category: string;
  description: string;
  /** The name of the picture in its address: `/images/<picture>.webp`. */
  picture: string;
}

/** The hash of a `version` entry; `salt` is 16 bytes. */
export const versionHash = (
  { name, handle, website, category, description, picture }: ListingVersion,
  salt: Uint8Array,
): string => sealed('snapswipe version v1', salt, [name, handle, website, category, description, picture]);

export interface OwnershipProof {
  /** 0x and 64 lowercase hex digits, as `objectId`. */
  wallet: string;
  /** The coin type or package that the listing names. */
  subject: string;
  /** The type of the object that was held, such as `0x2::coin::TreasuryCap<…>`; empty for a proof accepted by hand. */
  objectType: string;
  objectId: string;
  /** Decimal, as `checkpoint`. */
  objectVersion: string;
  checkpoint: string;
}

/** The hash of an `owner` entry; `salt` is 16 bytes. */
export const ownerHash = (
  { wallet, subject, objectType, objectId, objectVersion, checkpoint }: OwnershipProof,
  salt: Uint8Array,
): string => sealed('snapswipe owner v1', salt, [wallet, subject, objectType, objectId, objectVersion, checkpoint]);
