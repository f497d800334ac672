import { supply } from '#shared/contract/index.ts';
import { implement } from '../http/declare.ts';
import { currentSupply } from './actions.ts';

export const supplyRoutes = [implement(supply.getSupply, ({ services }) => currentSupply(services.replica))];
