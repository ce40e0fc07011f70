import { createQueryId, type OperationNode, type QueryExecutorProvider, type RawBuilder, RawNode, sql } from 'kysely'
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
    if (RawNode.is(node)) {
      const selects = node.parameters.filter(isSelect)
      for (const each of [node, ...selects]) {
        const key = literalOf([node, ...selects, each].map(({ sqlFragments }) => literalOf(sqlFragments)))
        const known = seen.get(key) ?? { executed: 0, noted: new Set() }
        seen.set(key, known)
        const rows = each === node || isWhole(node) ? result.rows : []
        noteNew(each, each !== node, known, db, rows)
      }
    }
    return result
  }
  return seen
}

const isSelect = (node: OperationNode): node is RawNode =>
  RawNode.is(node) && /^\s*(select|with)\b/.test(node.sqlFragments[0] ?? '')
/** Answers all columns of what it selects from. */
const isWhole = ({ sqlFragments: [first = ''] }: RawNode) => /^\s*select\s+(\w+\.)?\*/.test(first)

function noteNew(
  node: RawNode,
  isPart: boolean,
  known: Seen,
  db: QueryExecutorProvider,
  rows: readonly Record<string, unknown>[],
): void {
  known.executed++
  if (known.executed > MOST_EXECUTIONS) return
  const nulls = new Set<string>()
  for (const row of rows.slice(0, MOST_ROWS)) {
    for (const name in row) if (row[name] === null) nulls.add(name)
  }
  const text = db.getExecutor().compileQuery(node, createQueryId()).sql
  const said = `${text}\0${[...nulls].sort().join()}`
  if (known.noted.has(said)) return
  known.noted.add(said)
  note({ literal: literalOf(node.sqlFragments), sql: text, nulls: [...nulls], isPart })
}

shared.statementsNoted ??= noteStatements()
note({ file: expect.getState().testPath ?? '' })
