import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Linux alone tells of processes in files. */
export const canTell = (): boolean => existsSync('/proc/self/smaps_rollup')

/** What only it uses, and its share of what several use: pages that PostgreSQL's processes share count once. Bytes. */
export function pssOf(pid: number): number {
  const kib = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]
  return Number(kib ?? 0) * 1024
}

/** Ticks are hundredths of a second on every Linux that Node runs on. @returns seconds of processor time so far */
export function cpuSecondsOf(pid: number): number {
  const fields = statOf(pid)?.split(' ') ?? []
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100
}

export type Parent = { pid: number; parent: number }

export function processes(): Parent[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && existsSync(`/proc/${name}/stat`))
    .map((name) => ({
      pid: Number(name),
      parent: parentOf(Number(name)),
    }))
}

/** All that it started, and what these started. */
export function below(pid: number, all: readonly Parent[]): number[] {
  return all.filter(({ parent }) => parent === pid).flatMap((child) => [child.pid, ...below(child.pid, all)])
}

export const parentOf = (pid: number): number => Number(statOf(pid)?.split(' ')[1])

/** What follows the name, which may hold anything; undefined when it has ended meanwhile. */
function statOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2)
  } catch {
    return undefined
  }
}
