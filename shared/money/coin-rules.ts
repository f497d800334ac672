import { cleanLine } from '../text/clean-text.ts';
import { countChars } from '../text/text.ts';

export interface CoinTerms {
  name: string;
  symbol: string;
  decimals: number;
  /** The first supply in whole Snaps. */
  firstSupply: number;
}

export const COIN_NAME_MAX_CHARS = 32;
export const COIN_SYMBOL_MAX_CHARS = 10;
const SYMBOL = /^[A-Z][A-Z0-9]*$/;
const MAX_UNITS = 2n ** 64n - 1n;

export const maxFirstSupply = (decimals: number): bigint => MAX_UNITS / 10n ** BigInt(decimals);

export type CoinErrors = Partial<Record<keyof CoinTerms, string>>;

/** Reasons for refusing the terms of a coin, by field; empty if there are none. */
export function validateCoinTerms(
  { name, symbol, decimals, firstSupply }: CoinTerms,
  siteDecimals: number,
): CoinErrors {
  const errors: CoinErrors = {};
  const chars = countChars(name);
  if (name !== cleanLine(name) || chars === 0 || chars > COIN_NAME_MAX_CHARS)
    errors.name = `Enter a name of 1 to ${COIN_NAME_MAX_CHARS} characters`;
  if (!SYMBOL.test(symbol) || symbol.length > COIN_SYMBOL_MAX_CHARS)
    errors.symbol = `Enter 1 to ${COIN_SYMBOL_MAX_CHARS} letters from A to Z, and digits after the first`;
  // A module with two equal constants is refused by the chain.
  else if (name === symbol) errors.name = 'Enter a name that differs from the symbol, such as Snaps for SNAPS';
  if (decimals !== siteDecimals)
    errors.decimals = `SNAPS_DECIMALS is ${siteDecimals}: make the coin with ${siteDecimals} decimals, or change the setting first`;
  if (!Number.isSafeInteger(firstSupply) || firstSupply < 1) errors.firstSupply = 'Enter whole Snaps, at least 1';
  else if (BigInt(firstSupply) > maxFirstSupply(siteDecimals))
    errors.firstSupply = `A coin with ${siteDecimals} decimals can hold ${maxFirstSupply(siteDecimals).toLocaleString()} at most`;
  return errors;
}

/** Shown before a wallet signs. */
export const NEVER_TRIED = [
  'Publishing these bytes on a real node: they were compiled for today’s framework and ran on the sandbox chain only.',
  'The gas on a real network: the dry run is an estimate.',
  'Wallets and explorers that show the name and symbol of the new coin.',
  'Hardware wallets, which may sign a publication, or a call of the Book, only blindly.',
  'A payout through the Book: how a real node orders and serves a shared object.',
] as const;
