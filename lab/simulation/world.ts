import { openDatabase } from '#db/client.ts';
import type { SimulatedTable } from '#shared/simulation.ts';
import { installClock } from './clock.ts';
import { simulate } from './run.ts';
import { openServices } from '../services.ts';
import { seedCrowdWorld, seedDemoWorld } from './worlds.ts';

/** The crowd whose table is committed. */
export const CROWD = { voters: 100_000, projects: 200 };

export interface WorldOptions {
  world: SimulatedTable['world'];
  seed: number;
  /** Parameters of a crowd. */
  voters: number;
  projects: number;
  onProgress?: (text: string) => void;
}

/** Makes a world in a migrated, empty database, and runs all attacks on it. */
export async function simulateIn(databaseUrl: string, options: WorldOptions): Promise<SimulatedTable> {
  const { world, seed, onProgress = () => undefined } = options;
  const { db, close } = openDatabase(databaseUrl, { maxConnections: 1 });
  await installClock(db, new URL(databaseUrl).pathname.slice(1));
  await close();
  const { services, close: closeServices } = await openServices(databaseUrl);
  try {
    onProgress('making the world');
    if (world === 'demo') await seedDemoWorld(services.db);
    else await seedCrowdWorld(services.db, options);
    return await simulate(services, { world, seed, onProgress });
  } finally {
    await closeServices();
  }
}
