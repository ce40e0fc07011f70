import { CamelCasePlugin, type KyselyPlugin, type QueryId } from 'kysely'

const naming = new CamelCasePlugin({ maintainNestedObjectKeys: true })

/** What the query builder calls `merchantId` is the column `merchant_id`. Plain SQL is spelled as it is run. */
export function columnNames(): KyselyPlugin {
  const plain = new WeakSet<QueryId>()
  return {
    transformQuery: (args) => {
      if (args.node.kind !== 'RawNode') return naming.transformQuery(args)
      plain.add(args.queryId)
      return args.node
    },
    transformResult: (args) => (plain.has(args.queryId) ? Promise.resolve(args.result) : naming.transformResult(args)),
  }
}

/** @returns the column of a field in plain SQL: `merchant_id` of `merchantId` */
export const columnOf = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
