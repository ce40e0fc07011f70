import { sql } from 'kysely'
import { rows } from '../db/rows'
import type { Tx } from '../kernel/context'
import { HOUR_MS } from './calendar'
import { DEMO_OPERATOR } from './data/merchants'
import { draft, tags } from './data/system'
import { idOf, type Ids } from './people/people'

const bodyOf = ({ body }: { body: readonly string[] }): string => body.join('\n\n')

export async function seedSystem(
  tx: Tx,
  { merchantIds, userIds, now }: { merchantIds: Ids; userIds: Ids; now: Date },
): Promise<void> {
  const columns = { type: 'text', code: 'text', zh: 'text', en: 'text', fr: 'text', ko: 'text', sort: 'int' } as const
  await sql`insert into dictionary_item (type_id, merchant_id, code, zh, en, fr, ko, sort)
    select t.id, ${idOf(merchantIds, DEMO_OPERATOR)}, p.code, p.zh, p.en, p.fr, p.ko, p.sort
    from ${rows('p', tags, columns)} join dictionary_type t on t.code = p.type`.execute(tx)
  const titles = { titleZh: draft.zh.title, titleEn: draft.en.title, titleFr: draft.fr.title }
  const bodies = { bodyZh: bodyOf(draft.zh), bodyEn: bodyOf(draft.en), bodyFr: bodyOf(draft.fr) }
  const written = { createdAt: new Date(now.getTime() - 26 * HOUR_MS), createdBy: idOf(userIds, 'admin') }
  await tx
    .insertInto('agreement')
    .values({ ...titles, ...bodies, ...written })
    .execute()
}
