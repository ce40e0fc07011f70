import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * A statement that a test executed: the literal's text, what was sent, the columns in which a null came back. A part is
 * a select inside of another literal, such as the rows of a list; it is noted as it would be sent by itself.
 */
export type Noted = { literal: string; sql: string; nulls: string[]; isPart: boolean }
type Note = Noted | { file: string }

/** What tests note is read when they are over, by a project of its own. */
const folder = fileURLToPath(new URL('../../../../node_modules/.cache/aisle-statements', import.meta.url))

/** Before the tests of a run. */
export function setup(): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
}

export function note(noted: Note): void {
  if (existsSync(folder)) appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(noted)}\n`)
}

/** Each statement once, and the test files that ran. */
export function readNotes(): { statements: Noted[]; files: Set<string> } {
  const statements = new Map<string, Noted>()
  const files = new Set<string>()
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean)) {
      const noted: Note = JSON.parse(line)
      if ('file' in noted) {
        files.add(noted.file)
        continue
      }
      const key = `${noted.isPart}\0${noted.literal}\0${noted.sql}`
      const nulls = new Set([...(statements.get(key)?.nulls ?? []), ...noted.nulls])
      statements.set(key, { ...noted, nulls: [...nulls] })
    }
  }
  return { statements: [...statements.values()], files }
}

/** The same of a template's parts as they are written and as the query builder holds them. */
export const literalOf = (parts: readonly string[]): string => parts.join('\0')
