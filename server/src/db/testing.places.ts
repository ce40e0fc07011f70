import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder for one test run that PostgreSQL's own user may pass. Those of runs that were killed are cleared first. */
export function throwAwayFolder(kind: 'test' | 'e2e' | 'bench'): string {
  clearAbandoned()
  const folder = mkdtempSync(join(tmpdir(), `aisle-${kind}-${process.pid}-`))
  chmodSync(folder, 0o755)
  return folder
}

function clearAbandoned(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(/^aisle-(?:test|e2e|bench)-(\d+)-/.exec(name)?.[1])
    if (!pid || signal(pid, 0)) continue
    const folder = join(tmpdir(), name)
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
