export type VoteType = 'bullish' | 'bearish';

export const opposite = (vote: VoteType): VoteType => (vote === 'bullish' ? 'bearish' : 'bullish');
