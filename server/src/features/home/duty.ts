import { duties, type Duty } from '@aisle/contract/home/dashboard'
import { sql } from 'kysely'
import type { QueryContext } from '../../kernel/context'

const isDuty = (type: string): type is Duty => duties.some((duty) => duty === type)

/** What the caller is here for: the type of the role that they act with, or of the first of theirs that says one. */
export async function dutyOf({ db, actor }: QueryContext): Promise<Duty> {
  if (actor.kind === 'platform_admin' && !actor.viewedRole) return 'platform'
  const acting = actor.viewedRole ?? actor.activeRole
  const ids = acting ? [acting.id] : actor.roleChoices.map(({ id }) => id)
  const found = await sql<{ type: string }>`select type from role
    where id = any(${ids}::bigint[]) and type <> 'other' order by id`.execute(db)
  const type = found.rows.map((row) => row.type).find(isDuty)
  if (type) return type
  return actor.kind === 'doctor' ? 'medical' : 'management'
}
