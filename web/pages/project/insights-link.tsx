import { ChartColumn } from 'lucide-react';
import { insightsPath } from '../../components/listing/insights-path.ts';
import { useIsAdmin } from '../../payments/use-order.ts';
import { useSessionUser } from '../../lib/session.ts';
import { ButtonLink } from '../../ui/button.tsx';
import type { ProjectView } from './project-view.ts';

export function InsightsLink({ project }: { project: ProjectView }) {
  const isOwn = useSessionUser()?.walletAddress === project.submittedBy;
  const isAdmin = useIsAdmin();
  if (!isOwn && !isAdmin) return null;
  return (
    <ButtonLink href={insightsPath(project)} variant="secondary">
      <ChartColumn aria-hidden size={18} />
      Insights
    </ButtonLink>
  );
}
