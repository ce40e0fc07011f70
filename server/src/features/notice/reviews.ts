import type { getPendingReviews, reviewKinds } from '@aisle/contract/notice/bell'
import { isGranted } from '@aisle/contract/identity/permissions'
import type { OutputOf, Permission } from '@aisle/contract/kernel/endpoint'
import type { QueryContext, Reader } from '../../kernel/context'
import { type Sight, sightOf } from '../../kernel/scope'
import { countPendingReviews } from '../merchant/public'

type Source = {
  kind: (typeof reviewKinds)[number]
  /** Who may decide; nobody else is bothered with the number. */
  permission: Permission
  screen: string
  count: (db: Reader, sight: Sight) => Promise<number>
}

/** What waits for a decision; a domain that has something to review adds its count here. */
const sources: readonly Source[] = [
  { kind: 'bankAccount', permission: 'bankAccount.review', screen: 'shgl/shzhxx', count: countPendingReviews },
]

export async function pendingReviews(ctx: QueryContext): Promise<OutputOf<typeof getPendingReviews>> {
  const items = []
  for (const { kind, permission, screen, count } of sources) {
    if (isGranted(ctx.actor.grants, permission)) {
      items.push({ kind, screen, count: await count(ctx.db, sightOf(ctx.actor)) })
    }
  }
  return { items, total: items.reduce((sum, { count }) => sum + count, 0) }
}
