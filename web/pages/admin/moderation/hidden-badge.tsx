import { EyeOff } from 'lucide-react';
import { Badge } from '../../../ui/badge.tsx';

export const HiddenBadge = () => (
  <Badge tone="warn">
    <EyeOff aria-hidden size={14} />
    Hidden
  </Badge>
);
