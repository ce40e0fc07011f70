import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'
import { expect } from 'vitest'
import { literalOf, note } from './notes'

/** Of a literal whose statements differ each time, no more than so many are looked at, nor rows of one. */
const MOST_EXECUTIONS = 40
const MOST_ROWS = 200

type Executing = RawBuilder<Record<string, unknown>>
type Seen = { executed: number; noted: Set<string> }

const shared = globalThis as { statementsNoted?: Map<string, Seen> }

/** Every statement that a test of this worker executes is noted, for the check of row types that comes last. */
function noteStatements(): Map<string, Seen> {
  const seen = new Map<string, Seen>()
  const builder: Executing = Object.getPrototypeOf(sql``)
  const { execute } = builder
  builder.execute = async function (this: Executing, db: QueryExecutorProvider) {
    const result = await execute.call(this, db)
    const node = this.toOperationNode()
    if (node.kind === 'RawNode') {
      const literal = literalOf((node as unknown as { sqlFragments: readonly string[] }).sqlFragments)
      const known = seen.get(literal) ?? { executed: 0, noted: new Set() }
      seen.set(literal, known)
      noteNew(literal, known, () => this.compile(db).sql, result.rows)
    }
    return result
  }
  return seen
}

function noteNew(literal: string, known: Seen, textOf: () => string, rows: readonly Record<string, unknown>[]): void {
  known.executed++
  if (known.executed > MOST_EXECUTIONS) return
  const nulls = new Set<string>()
  for (const row of rows.slice(0, MOST_ROWS)) {
    for (const name in row) if (row[name] === null) nulls.add(name)
  }
  const text = textOf()
  const said = `${text}\0${[...nulls].sort().join()}`
  if (known.noted.has(said)) return
  known.noted.add(said)
  note({ literal, sql: text, nulls: [...nulls] })
}

shared.statementsNoted ??= noteStatements()
note({ file: expect.getState().testPath ?? '' })
