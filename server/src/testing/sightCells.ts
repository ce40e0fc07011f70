import type { Reader } from '../kernel/context'
import type { BuiltMachine } from './builders'

/**
 * What decides whether a row is in sight: the machine or merchant that it hangs on (for some also a merchant above, who
 * made it for all below), the platform's alone, its own user's alone, or everybody's to see.
 */
export type Hangs = 'machine' | 'merchant' | 'merchantOrAbove' | 'platform' | 'user' | 'everybody'

export type BranchBase = {
  merchantId: number
  machines: BuiltMachine[]
  /** Stands in every text of the branch, so that a row in the wrong answer shows. */
  mark: string
  at: Date
  /** Of the branch's row of that noun, which is made when it is first asked for. */
  idOf: (noun: string) => Promise<number>
}

export type MakeRow = (db: Reader, branch: BranchBase) => Promise<number>

/** What a domain's `testing.sight.ts` says of who sees what; the matrix and the walks through all calls read it. */
export type SightCells = {
  /** Each noun of `/api/<nouns>/{id}`; one that is missing fails the matrix. */
  hangsOn?: Readonly<Record<string, Hangs>>
  /** Fields of an input that name a row, by the noun of that row; null for those that only look like it. */
  fields?: Readonly<Record<string, string | null>>
  /** Operations that are the platform's, whatever permission somebody else was given; and how they say so. */
  platformsAlone?: Readonly<Record<string, 'request.notPermitted' | 'request.notFound'>>
  /** What stands beside the row in an input, where a made-up value would be refused before the row is looked at. */
  given?: Readonly<Record<string, Record<string, unknown>>>
  /** Verbs of a merchant as a whole: whoever sees only some of its machines does not turn them, whatever their role. */
  administratorsAlone?: readonly string[]
  /** Operations that show what a merchant above made for all below it, by its name. */
  showsAbove?: readonly string[]
  /** Operations that show what a merchant below made, by its name. */
  showsBelow?: readonly string[]
  /** Operations that answer for the row of a merchant above as for one's own. */
  answersAbove?: readonly string[]
  /** Operations on something that no row of the family has: in sight or not, it is not there. */
  nothingThere?: readonly string[]
  /** One row of the branch for each noun of `/api/<nouns>/{id}`, with `mark` in every text that the row shows. */
  rows?: Readonly<Record<string, MakeRow>>
}
