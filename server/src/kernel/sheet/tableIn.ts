import { apart } from '../files/apart'
import { refuse } from '../refuse'
import type { Sheet } from './sheet.table'

const tableApart = apart<Sheet, string[][]>(import.meta.url, 'sheet.worker')

/**
 * Rows of cells as typed: the heading, and one more than are taken, which says that there are too many.
 * @param unreadable the refusal of what is neither xlsx nor csv
 */
export const tableIn = async (base64: string, most: number, userId: number, unreadable: string): Promise<string[][]> =>
  (await tableApart({ base64, mostRows: most + 2 }, userId)) ?? refuse(unreadable)
