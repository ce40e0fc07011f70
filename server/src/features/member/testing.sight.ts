import { applicationState } from '@aisle/contract/member/cardApplication'
import { sql } from 'kysely'
import type { Reader } from '../../kernel/context'
import { inserted } from '../../testing/inserted'
import type { BranchBase, SightCells } from '../../testing/sightCells'

export const sight: SightCells = {
  hangsOn: {
    members: 'merchant',
    'member-cards': 'merchant',
    'member-units': 'merchant',
    'card-top-ups': 'merchant',
    'card-applications': 'merchant',
    'top-up-gifts': 'merchant',
    'card-defaults': 'merchant',
  },
  fields: {
    // Of its own merchant alone (memberRecord.test.ts asks).
    'member.addMember.unitId': null,
    'member.editMember.unitId': null,
    'member.addMemberUnit.parentId': null,
    'member.linkMembers.ids': 'members',
    'member.listMembers.notOf': 'merchants',
    'member.unlinkMembers.ids': 'members',
    'member.moveMembers.ids': 'members',
    memberId: 'members',
    cardId: 'member-cards',
  },
  given: {
    'member.addMember': { unitId: null, birthday: null, number: '' },
    'member.editMember': { unitId: null, birthday: null },
    'member.addMemberUnit': { parentId: null, kind: 'school' },
    'member.issueCards': { lines: [{ physicalNo: 'fedcba98', logicalNo: 'SIGHT1' }] },
    'member.setCardLimits': { machineIds: [] },
    'member.addTopUpGift': { fromFen: 10_000, giftFen: 500, toDay: null },
    'member.editTopUpGift': { fromFen: 10_000, giftFen: 500, toDay: null },
  },
  rows: {
    members: addMember,
    'member-units': (db, { merchantId, mark }) =>
      inserted(
        db,
        sql`insert into member_unit (merchant_id, kind, name)
          select ${merchantId}, 'school', left(${mark} || ' school ' || n, 40) from generate_series(1, 2) n`,
      ),
    'member-cards': addCard,
    'card-top-ups': addTopUp,
    'card-applications': addApplication,
    // Not in force yet, and of kinds that no test issues.
    'top-up-gifts': (db, { merchantId, mark, at }) =>
      inserted(
        db,
        sql`insert into top_up_gift (merchant_id, created_at, name, from_fen, gift_fen, from_day)
          select ${merchantId}, ${at}::timestamptz, left(${mark} || ' gift ' || n, 40), 10000, 500, '2031-01-01'
          from generate_series(1, 2) n`,
      ),
    'card-defaults': (db, { merchantId, at }) =>
      inserted(
        db,
        sql`insert into card_default (merchant_id, created_at, type, level, daily_count_limit, single_max_fen,
            daily_amount_fen)
          select ${merchantId}, ${at}::timestamptz, type, 2, 3, 0, 0 from unnest(array['test', 'gift']) type`,
      ),
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

/** Of the branch's card. Nothing is posted for it, so that nothing is left to be reversed, nor due from a desk. */
async function addTopUp(db: Reader, { merchantId, mark, at, idOf }: BranchBase): Promise<number> {
  const cardId = await idOf('member-cards')
  return inserted(
    db,
    sql`insert into member_card_top_up (card_id, merchant_id, method, amount_fen, topped_up_at, note)
      select ${cardId}, ${merchantId}, 'wechat', 100, ${at}::timestamptz, left(${mark} || ' paid ' || n, 200)
      from generate_series(1, 2) n`,
  )
}

/** Of the branch's member, for a card of two kinds. */
async function addApplication(db: Reader, { merchantId, mark, at, idOf }: BranchBase): Promise<number> {
  const memberId = await idOf('members')
  const userId = await inserted(
    db,
    sql`insert into app_user (merchant_id, account, display_name, kind)
      values (${merchantId}, left(md5(${mark} || 'asks'), 16), ${mark}, 'ordinary')`,
  )
  return inserted(
    db,
    sql`insert into card_application (merchant_id, member_id, kind, type, level, state, note, created_by, created_at)
      select ${merchantId}, ${memberId}, 'new', type, 1, ${sql.lit(applicationState.initial)}, ${mark}, ${userId},
        ${at}::timestamptz
      from unnest(array['staff', 'student']) type`,
  )
}
