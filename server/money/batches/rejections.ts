const CAUSES: Array<[pattern: RegExp, sentence: string]> = [
  [/signature/i, 'The signature does not belong to this transaction and the admin wallet'],
  [/gas|insufficient|balance/i, 'The admin wallet does not hold enough for the payout and its gas'],
  [/version|lock|not available|conflict|equivocat/i, 'A coin of this transaction was spent elsewhere'],
];

export function rejectionSentence(reason: string): string {
  const cause = CAUSES.find(([pattern]) => pattern.test(reason))?.[1] ?? 'The chain rejected the transaction';
  return `${cause}. Nothing was paid; prepare the payout again.`;
}
