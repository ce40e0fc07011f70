import { apart } from '../../../kernel/files/apart'
import type { Statement, Uploaded } from './statement'

const readApart = apart<Uploaded, Statement>(import.meta.url, 'statement.worker')

/** What a person took from a provider's pages. @throws Refusal when it unfolds to too much, or too many are read */
export const readUpload = async (file: Uploaded, userId: number): Promise<Statement> =>
  (await readApart(file, userId)) ?? { kind: 'unreadable' }
