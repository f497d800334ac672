import { MIST_PER_SUI } from '../constants.ts';

/** MIST (bigint) as SUI text without trailing zeros: 15_000_000_000n → '15', 1n → '0.000000001'. */
export function formatSui(amountMist: bigint): string {
  const sign = amountMist < 0n ? '-' : '';
  const abs = amountMist < 0n ? -amountMist : amountMist;
  const fraction = (abs % MIST_PER_SUI).toString().padStart(9, '0').replace(/0+$/, '');
  return `${sign}${abs / MIST_PER_SUI}${fraction ? `.${fraction}` : ''}`;
}

/** A decimal string of MIST from the wire (R20) as bigint. Throws RangeError unless it is digits that fit a u64. */
export function parseMist(text: string): bigint {
  if (!/^\d{1,20}$/.test(text)) throw new RangeError(`not an amount of MIST: ${text.slice(0, 30)}`);
  const amountMist = BigInt(text);
  if (amountMist > 0xffff_ffff_ffff_ffffn) throw new RangeError('more MIST than a u64 holds');
  return amountMist;
}
