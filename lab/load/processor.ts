/** Processor time of processes of this machine, from Linux's /proc. */
import { readFile } from 'node:fs/promises';
import type pg from 'pg';

/** Linux counts whole processes and ended children in hundredths of a second. */
const TICK_MS = 10;

/** The fields of /proc/<pid>/stat after the name, which may contain spaces. */
async function statOf(pid: number): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

const ticksMs = (fields: readonly string[], ...places: number[]): number =>
  places.reduce((sum, place) => sum + Number(fields[place]), 0) * TICK_MS;

export const processMs = async (pid: number): Promise<number> => ticksMs(await statOf(pid), 11, 12);

/** Time of a process's first thread, in nanoseconds of resolution: all of a PostgreSQL process, the main thread of a page. */
export async function firstThreadMs(pid: number): Promise<number> {
  const [ns = '0'] = (await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '0')).split(' ');
  return Number(ns) / 1e6;
}

export async function postmasterOf(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return Number((await statOf(rows[0]?.pid ?? 0))[1]);
}

/** Time of PostgreSQL's processes, ended ones included. */
export async function databaseMs(postmaster: number): Promise<number> {
  const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
  const running = await Promise.all(children.trim().split(' ').map(Number).map(firstThreadMs));
  return running.reduce((sum, ms) => sum + ms, ticksMs(await statOf(postmaster), 13, 14));
}
