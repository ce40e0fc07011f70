import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { inserted } from '../../testing/inserted'
import type { BranchBase, SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: {
    members: 'merchant',
    'member-cards': 'merchant',
  },
  fields: {
    'member.linkMembers.ids': 'members',
    'member.listMembers.notOf': 'merchants',
    'member.unlinkMembers.ids': 'members',
    'member.moveMembers.ids': 'members',
    memberId: 'members',
  },
  rows: {
    members: addMember,
    'member-cards': addCard,
  },
}

async function addMember(db: Reader, { merchantId, mark, at }: BranchBase): Promise<number> {
  const id = await inserted(
    db,
    sql`insert into member (number, name, phone, merchant_id, registered_at)
      values (${`M${String(merchantId).padStart(6, '0')}`}, ${`${mark} member`}, '13800001111', ${merchantId}, ${at})`,
  )
  await sql`insert into member_merchant (member_id, merchant_id, linked_at)
    values (${id}, ${merchantId}, ${at})`.execute(db)
  return id
}

/** Nobody is named on them. */
async function addCard(db: Reader, { merchantId, at }: BranchBase): Promise<number> {
  return inserted(
    db,
    sql`insert into member_card (merchant_id, physical_no, logical_no, state, created_at)
      select ${merchantId}, lpad(to_hex(${merchantId}::int * 2 + n), 8, '0'),
        'K' || lpad((${merchantId}::int * 2 + n)::text, 6, '0'), 'active', ${at}::timestamptz
      from generate_series(0, 1) n`,
  )
}
