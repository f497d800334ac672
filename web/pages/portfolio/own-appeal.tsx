import type { Appeal } from '#shared/contract/standing.ts';
import { RelativeTime } from '../../components/values/relative-time.tsx';

interface OwnAppealProps {
  appeal: Appeal;
  waiting: string;
}

export function OwnAppeal({ appeal: { text, createdAt, answer, answeredAt }, waiting }: OwnAppealProps) {
  return (
    <div className="grid gap-2 rounded-lg border border-line p-4">
      <p className="text-sm text-faint">
        Your appeal, <RelativeTime iso={createdAt} />
      </p>
      <p className="wrap-anywhere whitespace-pre-wrap">{text}</p>
      {answer !== null && answeredAt !== null ? (
        <>
          <p className="text-sm text-faint">
            Our answer, <RelativeTime iso={answeredAt} />
          </p>
          <p className="font-semibold wrap-anywhere whitespace-pre-wrap">{answer}</p>
        </>
      ) : (
        <p className="text-sm text-muted">{waiting}</p>
      )}
    </div>
  );
}
