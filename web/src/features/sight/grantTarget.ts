import { type Grantee, listMerchantMachines } from '@aisle/contract/sight/authorisation'
import { z } from 'zod'

/** Whom the page is about now: chosen in the tree, named in the address. */
export type Target = {
  kind: Grantee
  id: number
  name: string
  note: string
  /** A text key for why nothing can be authorised to it now; null where it can. */
  blocked: 'grant.stopped' | 'grant.platform' | null
}

const { q, province, category, state, cursor } = listMerchantMachines.input.shape

/** What stands in the address of both pages. */
export const grantShape = {
  q,
  province,
  category,
  state,
  cursor,
  /** For instance `user-12`. */
  to: z.string().regex(/^(merchant|organisation|user)-[1-9]\d{0,15}$/),
  view: z.enum(['machines', 'history']),
}

export const keyOf = ({ kind, id }: Pick<Target, 'kind' | 'id'>): string => `${kind}-${id}`
