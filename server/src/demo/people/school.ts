import {
  applyForCard,
  applyForReplacement,
  approveApplication,
  issueApplied,
  refuseApplication,
} from '@aisle/contract/member/cardApplication'
import { addMember } from '@aisle/contract/member/memberRecord'
import { addMemberUnit } from '@aisle/contract/member/memberUnit'
import { sql } from 'kysely'
import { DAY_MS } from '../calendar'
import type { Past } from '../life/within'

const pupils = ['沈一诺', '陆子涵', '顾思远', '钱雨桐', '孙浩然', '周可欣'] as const

/** A school whose pupils got cards this week: asked for by the merchant, decided by somebody else. */
export async function applyForCards({ as, at, tx, idOf, latestMs }: Past): Promise<void> {
  const merchantId = idOf('merchant', 'EAST')
  at(latestMs - 6 * DAY_MS)
  const unit = async (kind: 'school' | 'grade' | 'class', name: string, parentId: number | null = null) =>
    (await as('merchant', addMemberUnit, { merchantId, kind, name, parentId })).id
  const grade = await unit('grade', '七年级', await unit('school', '西溪实验学校'))
  const classes = [await unit('class', '一班', grade), await unit('class', '二班', grade)]
  const asked: number[] = []
  for (const [n, name] of pupils.entries()) {
    const consentedBy = n === 3 ? null : ('guardian' as const)
    const said = { name, birthday: `2013-0${n + 1}-1${n}`, unitId: classes[n % 2] ?? null, parentName: name[0] ?? '' }
    const { id } = await as('merchant', addMember, { merchantId, ...said, consentedBy })
    at(latestMs - (5 - n) * DAY_MS)
    if (consentedBy === null) continue
    asked.push((await as('merchant', applyForCard, { memberId: id, type: 'student', note: '新生办卡' })).id)
  }
  const [first = 0, second = 0, third = 0] = asked
  at(latestMs - DAY_MS / 4)
  for (const id of [first, second]) await as('deputy', approveApplication, { id })
  await as('deputy', refuseApplication, { id: third, reason: '照片不清晰，请重新提交' })
  await as('deputy', issueApplied, { id: first, physicalNo: 'a1b2c3d4', logicalNo: 'K900001' })
  const lost = await sql<{ id: number }>`select id from member_card
    where merchant_id = ${merchantId} and member_id is not null and state = 'active' order by id limit 1`.execute(tx)
  const [card] = lost.rows
  if (card) await as('merchant', applyForReplacement, { cardId: card.id, note: '顾客在地铁上遗失' })
}
