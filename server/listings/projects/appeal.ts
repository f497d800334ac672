import type { Appeal } from '#shared/contract/standing.ts';

interface AppealRow {
  id: number;
  text: string;
  createdAt: Date;
  answer: string | null;
  answeredAt: Date | null;
}
export const toAppeal = ({ id, text, createdAt, answer, answeredAt }: AppealRow): Appeal => ({
  id,
  text,
  createdAt: createdAt.toISOString(),
  answer,
  answeredAt: answeredAt?.toISOString() ?? null,
});
