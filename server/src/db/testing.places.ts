import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where Linux keeps files in memory: a database is cloned there in a tenth of a second, on a disk in up to two. */
const IN_MEMORY = '/dev/shm'
/** Several times what a whole run has there at once. */
const ENOUGH_BYTES = 6 * 2 ** 30

/** A folder for one test run that PostgreSQL's own user may pass. Those of runs that were killed are cleared first. */
export function throwAwayFolder(kind: 'test' | 'e2e' | 'bench'): string {
  for (const place of places()) clearAbandoned(place)
  // What is measured is measured on a disk.
  const place = kind !== 'bench' && hasMemory() ? IN_MEMORY : tmpdir()
  const folder = mkdtempSync(join(place, `aisle-${kind}-${process.pid}-`))
  chmodSync(folder, 0o755)
  return folder
}

const places = (): string[] => (existsSync(IN_MEMORY) ? [tmpdir(), IN_MEMORY] : [tmpdir()])

function hasMemory(): boolean {
  if (!existsSync(IN_MEMORY)) return false
  const { bavail, bsize } = statfsSync(IN_MEMORY)
  return bavail * bsize > ENOUGH_BYTES
}

function clearAbandoned(place: string): void {
  for (const name of readdirSync(place)) {
    const pid = Number(/^aisle-(?:test|e2e|bench)-(\d+)-/.exec(name)?.[1])
    if (!pid || signal(pid, 0)) continue
    const folder = join(place, name)
    if (statSync(folder, { throwIfNoEntry: false })?.uid !== process.getuid?.()) continue
    const lock = join(folder, 'postgres/postmaster.pid')
    if (existsSync(lock)) signal(Number.parseInt(readFileSync(lock, 'utf8'), 10), 'SIGQUIT')
    rmSync(folder, { recursive: true, force: true, maxRetries: 25, retryDelay: 200 })
  }
}

/** False when there is no such process of ours. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
