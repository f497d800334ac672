import { supply } from '#shared/contract/index.ts';
import { implement } from '../http/route.ts';
import { currentSupply } from './actions.ts';

export const supplyRoutes = [implement(supply.getSupply, ({ services }) => currentSupply(services.replica))];
