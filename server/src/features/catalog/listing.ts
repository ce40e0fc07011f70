import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../kernel/context'
import { addJob } from '../../kernel/jobs'

/** The job of planogram that tells machines that a product of theirs is sold no longer, or is again. */
export const PUSH_LISTING = 'planogram.pushListing'

/** Whether the product `p` of a slot is sold nowhere for the time being; of a slot without one it is not said. */
export const isOffline: RawBuilder<boolean> = sql<boolean>`coalesce(p.state = 'offline', false)`

/** After the commit all machines that hold it by plan hear of it, however many they are. */
export const tellListing = (tx: Tx, productId: number): Promise<void> => addJob(tx, PUSH_LISTING, { productId })
