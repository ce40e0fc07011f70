import { isGranted } from '@aisle/contract/identity/permissions'
import type { Permission } from '@aisle/contract/kernel/endpoint'
import { type AttentionKind, getSystemHome } from '@aisle/contract/system/home'
import type { QueryContext } from '../../kernel/context'
import { query, type Route } from '../../kernel/route'
import { isPlatform } from '../../kernel/scope'
import * as count from './home.store'
import { filtered } from './languageEntry.reads'

type Looking = { permission: Permission; platform?: true; count: (ctx: QueryContext) => Promise<number> }

/** In the order of urgency; what the person may not open is not counted for them. */
const looks: Record<AttentionKind, Looking> = {
  systemAlarm: { permission: 'systemAlarm.read', platform: true, count: count.openAlarms },
  licenceExpired: { permission: 'licence.read', count: count.licencesExpired },
  licenceExpiring: { permission: 'licence.read', count: count.licencesExpiring },
  accountReview: { permission: 'bankAccount.review', count: count.accountsPending },
  messageFailed: { permission: 'pushMessage.read', count: count.messagesFailed },
  untranslated: {
    permission: 'languageEntry.read',
    platform: true,
    count: async ({ db }) => (await filtered(db, { entryState: 'untranslated' })).length,
  },
  agreementDraft: { permission: 'agreement.read', platform: true, count: count.agreementDrafts },
}

export const routes: Route[] = [
  query(getSystemHome, async (ctx) => {
    const seen = Object.entries(looks).filter(
      ([, { permission, platform }]) => isGranted(ctx.actor.grants, permission) && (!platform || isPlatform(ctx)),
    )
    const items = seen.map(async ([kind, look]) => ({ kind: kind as AttentionKind, count: await look.count(ctx) }))
    return { items: await Promise.all(items) }
  }),
]
