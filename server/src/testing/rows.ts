import { sql } from 'kysely'
import type { Reader } from '../kernel/context'
import { addOrder, type BuiltMachine } from './builders'
import { inserted } from './inserted'
import { addDifferences, addFeeRules, addLedgerAccounts, addPayouts, addRun, addSettlements } from './rows.books'
import { addPickupBatches, addPickupCodes } from './rows.pickup'
import { addClaimRow, addPartnerRequest, addPlay, addProblem, addRefundRow, addUnclaimed } from './rows.trade'

export type BranchBase = {
  merchantId: number
  machines: BuiltMachine[]
  /** Stands in every text of the branch, so that a row in the wrong answer shows. */
  mark: string
  at: Date
  /** What earlier makers made. */
  ids: Record<string, number>
}

type MakeRow = (db: Reader, branch: BranchBase) => Promise<number>

/**
 * One row of the branch for each noun of `/api/<nouns>/{id}`, made in this order: an endpoint with a new noun adds its
 * maker here, with `mark` in every text that the row shows.
 */
export const rowMakers: Record<string, MakeRow> = {
  machines: async (_, { machines }) => machines[0]?.id ?? 0,
  points: async (db, { merchantId }) => {
    const found = await sql<{ id: number }>`select id from point where merchant_id = ${merchantId} limit 1`.execute(db)
    return found.rows[0]?.id ?? 0
  },
  orders: async (db, { machines, at }) => {
    const made = []
    for (const machine of machines) made.push(await addOrder(db, machine, at))
    return made[0]?.id ?? 0
  },
  refunds: addRefundRow,
  problems: addProblem,
  merchants: async (_, { merchantId }) => merchantId,
  'display-keys': (db, { merchantId, mark, at }) =>
    inserted(
      db,
      sql`insert into display_key (key_hash, merchant_id, name, created_at)
        values (sha256(${`${mark} ${merchantId}`}::text::bytea), ${merchantId}, ${`${mark} hall`}, ${at})`,
    ),
  organisations: (db, { merchantId, mark }) =>
    inserted(db, sql`insert into organisation (merchant_id, name) values (${merchantId}, ${`${mark} unit`})`),
  users: (db, { merchantId, mark, ids }) =>
    inserted(
      db,
      sql`insert into app_user (merchant_id, account, display_name, kind, organisation_id)
        values (${merchantId}, ${`${mark.toLowerCase()}-of-${merchantId}`}, ${`${mark} person`}, 'ordinary',
          ${ids.organisations})`,
    ),
  'grant-logs': addGrants,
  roles: (db, { merchantId, mark }) =>
    inserted(db, sql`insert into role (merchant_id, name) values (${merchantId}, ${`${mark} role`})`),
  /** The platform's, like all of its kind: no merchant may touch one. */
  resources: (db, { merchantId }) =>
    inserted(
      db,
      sql`insert into external_resource (code, titles, url)
        values (${`ext.${lettersOf(merchantId)}`}, '{"en": "Other system"}', 'https://other.example/')`,
    ),
  doctors: addDoctorRow,
  prescriptions: (db, { merchantId, mark, ids, at }) =>
    inserted(
      db,
      // Two: the walk cancels the first one.
      sql`insert into prescription (code, merchant_id, state, doctor_id, department, patient_sealed, patient_masked,
          patient_name_hash, sex, birth_year, condition, created_at, submitted_at, expires_at)
        select 'RX261120' || ${merchantId} || 'TEST' || n, ${merchantId}, 'submitted', ${ids.doctors}, ${mark}, '',
          ${mark}, '\\x00', 'unknown', 1980, ${`${mark} cough`}, ${at}, ${at}, ${at}::timestamptz + interval '3 days'
        from generate_series(1, 2) n`,
    ),
  logs: addLogRow,
  'system-alarms': addSystemAlarm,
  'report-requests': addReportRequest,
  licences: (db, { merchantId, mark, at }) =>
    inserted(
      db,
      sql`insert into licence (merchant_id, holder_kind, kind, number, holder, issued_by, valid_from, created_at)
        values (${merchantId}, 'merchant', 'business', ${`${mark} 1`}, ${`${mark} Ltd`}, ${`${mark} office`},
          '2020-01-01', ${at})`,
    ),
  'bank-accounts': addBankAccount,
  integrations: (db, { merchantId, machines, mark, at }) =>
    inserted(
      db,
      // Two: one of them is removed by the walk before the list is turned.
      sql`insert into integration_config (merchant_id, machine_id, parent_class, child_class, interface_type,
          path, contract_number, created_at)
        select ${merchantId}, ${machines[0]?.id}, 'erp', class, 'push', 'https://erp.example.com/', ${mark}, ${at}
        from unnest(array['order_sync', 'stock_sync']) as class`,
    ),
  'payment-services': async (db) => {
    const found = await sql<{ id: number }>`select id from payment_service order by id limit 1`.execute(db)
    return found.rows[0]?.id ?? 0
  },
  'provider-accounts': (db, { merchantId, mark }) =>
    inserted(
      db,
      sql`insert into provider_account (merchant_id, provider, name, token)
        values (${merchantId}, 'wechat', ${`${mark} numbers`}, ${`token-of-merchant-${merchantId}`})`,
    ),
  /** Two: one of them is removed by the walk before the list is turned. */
  'payment-accounts': (db, { merchantId, mark, ids }) =>
    inserted(
      db,
      sql`insert into payment_account (merchant_id, provider, provider_account_id, funds_mode, payment_title)
        select ${merchantId}, 'wechat', ${ids['provider-accounts']}, 'custody', ${mark} from generate_series(1, 2)`,
    ),
  'unclaimed-payments': addUnclaimed,
  'settlement-runs': addRun,
  'settlement-differences': addDifferences,
  payouts: addPayouts,
  'ledger-accounts': addLedgerAccounts,
  settlements: addSettlements,
  'fee-rules': addFeeRules,
  collections: async (_, { machines }) => machines[0]?.id ?? 0,
  hospitals: (db, { merchantId, mark }) =>
    inserted(
      db,
      sql`insert into hospital (merchant_id, name, level, province, city)
        select ${merchantId}, ${mark} || ' hospital ' || n, 'iii_a', ${mark}, ${mark} from generate_series(1, 2) n`,
    ),
  areas: (db, { merchantId, mark }) =>
    inserted(db, sql`insert into area (merchant_id, name) values (${merchantId}, ${`${mark} area`})`),
  districts: (db, { merchantId, mark, ids }) =>
    inserted(
      db,
      sql`insert into district (merchant_id, area_id, name)
        values (${merchantId}, ${ids.areas}, ${`${mark} district`})`,
    ),
  /** Two of each: the walk deletes the first one that nothing uses. */
  routes: (db, { merchantId, mark }) =>
    inserted(
      db,
      sql`insert into route (merchant_id, name) select ${merchantId}, ${mark} || ' route ' || n
        from generate_series(1, 2) n`,
    ),
  'machine-groups': (db, { merchantId, mark }) =>
    inserted(
      db,
      sql`insert into machine_group (merchant_id, name) select ${merchantId}, ${mark} || ' group ' || n
        from generate_series(1, 2) n`,
    ),
  'flow-cards': (db, { merchantId, mark }) =>
    inserted(
      db,
      sql`insert into flow_card (merchant_id, iccid, carrier, type, remark)
        select ${merchantId}, '8986' || lpad((${merchantId}::int * 10 + n)::text, 15, '0'), 'cmcc', 'nano', ${mark}
        from generate_series(1, 2) n`,
    ),
  assortments: (db, { merchantId, mark }) =>
    inserted(
      db,
      sql`insert into assortment (merchant_id, name) select ${merchantId}, ${mark} || ' assortment ' || n
        from generate_series(1, 2) n`,
    ),
  'official-accounts': (db, { merchantId, mark }) =>
    inserted(
      db,
      sql`insert into official_account (merchant_id, platform, name, app_id, link)
        select ${merchantId}, 'wechat_mini', ${mark} || ' account ' || n,
          'wx' || lpad((${merchantId}::int * 10 + n)::text, 16, '0'), 'https://m.example/{code}'
        from generate_series(1, 2) n`,
    ),
  members: addMember,
  'member-cards': addCard,
  /** With a slot each; one of them is removed by the walk before the list is turned. */
  templates: addTemplates,
  /** One each machine. */
  alarms: (db, { machines, at }) =>
    inserted(
      db,
      sql`insert into alarm (machine_id, merchant_id, cause, level, facts, opened_at, seen_at)
        select id, merchant_id, 'machine_fault', 'critical', '{"codes": "E1"}', ${at}, ${at} from machine
        where id = any(${machines.map(({ id }) => id)}::bigint[]) order by id`,
    ),
  'repair-orders': (db, { merchantId, machines, mark, at }) =>
    inserted(
      db,
      sql`insert into repair_order (merchant_id, machine_id, source, kind, problem, created_at)
        select ${merchantId}, id, 'person', 'repair', ${`${mark} is broken`}, ${at}
        from unnest(${machines.map(({ id }) => id)}::bigint[]) as id`,
    ),
  'repair-plans': (db, { merchantId, machines, mark, at }) =>
    inserted(
      db,
      sql`insert into repair_plan (merchant_id, machine_id, name, every_days, since, created_at)
        values (${merchantId}, ${machines[0]?.id}, ${`${mark} plan`}, 90, ${at}, ${at})`,
    ),
  plays: addPlay,
  'prize-claims': addClaimRow,
  'pickup-batches': addPickupBatches,
  'pickup-codes': addPickupCodes,
  'partner-shipments': addPartnerRequest,
  'stock-alarm-rules': (db, { merchantId, at }) =>
    inserted(
      db,
      sql`insert into stock_alarm_rule (merchant_id, empty, of_slots, updated_at) values (${merchantId}, 5, 60, ${at})`,
    ),
  'command-batches': addBatch,
  'machine-commands': async (db, { machines }) => {
    const found = await sql<{ id: number }>`select seq as id from device_command
      where machine_id = ${machines[0]?.id} order by seq limit 1`.execute(db)
    return found.rows[0]?.id ?? 0
  },
  'machine-tests': (db, { machines, at, mark }) =>
    inserted(
      db,
      sql`insert into machine_test (merchant_id, machine_id, scope, puts_back, reason, state, started_at, ended_at)
        select merchant_id, id, 'all', true, ${`${mark} test`}, 'passed', ${at}, ${at}
        from machine, generate_series(1, 2) where id = ${machines[0]?.id}`,
    ),
  'remote-ships': (db, { machines, at, mark }) =>
    inserted(
      db,
      sql`insert into remote_ship (merchant_id, machine_id, slot_code, place_id, product_id, order_no, command_id,
          cost_fen, reason, state, created_at)
        select m.merchant_id, m.id, s.code, s.place_id, s.product_id, 'RS-' || n, gen_random_uuid(), 200,
          ${`${mark} gift`}, 'unknown', ${at}
        from machine m join slot s on s.machine_id = m.id, generate_series(1, 2) n where m.id = ${machines[0]?.id}`,
    ),
  'app-packages': (db, { merchantId, mark, at }) =>
    inserted(
      db,
      sql`insert into app_package (merchant_id, version, url, sha256, created_at)
        select ${merchantId}, ${`${mark} `} || n, 'https://software.example/', repeat('a', 64), ${at}
        from generate_series(1, 2) n`,
    ),
  rollouts: (db, { merchantId, mark, ids, at }) =>
    inserted(
      db,
      sql`insert into rollout (merchant_id, package_id, reason, waves, failure_limit_percent, created_at)
        select ${merchantId}, ${ids['app-packages']}, ${`${mark} update`}, '{100}', 5, ${at}
        from generate_series(1, 2)`,
    ),
  'message-types': async (db) => {
    const found = await sql<{ id: number }>`select id from message_type where code = 'alarm.machine'`.execute(db)
    return found.rows[0]?.id ?? 0
  },
  notifications: (db, { merchantId, mark, ids, at }) =>
    inserted(
      db,
      sql`insert into notification (merchant_id, type_id, title, body, channels, target, created_by, created_at)
        select ${merchantId}, id, ${`${mark} notice`}, ${mark}, '{web}', 'all', ${ids.users}, ${at}
        from message_type where code = 'notice.system'`,
    ),
  'push-messages': alarmMessage,
  'alarm-log': alarmMessage,
  /** The platform's, like the types below: no merchant may touch one. */
  agreements: (db, { mark, at }) =>
    inserted(
      db,
      sql`insert into agreement (title_zh, body_zh, created_at) values (${`${mark} terms`}, ${mark}, ${at})`,
    ),
  'dictionary-types': (db, { merchantId }) =>
    inserted(db, sql`insert into dictionary_type (code, zh) values (${`type${lettersOf(merchantId)}`}, 'Type')`),
  'dictionary-items': (db, { merchantId, mark }) =>
    inserted(
      db,
      sql`insert into dictionary_item (type_id, merchant_id, code, zh)
        select id, ${merchantId}, ${`code${merchantId}`}, ${`${mark} tag`} from dictionary_type
        where code = 'merchantTag'`,
    ),
  /** Texts of the product, by their place. */
  'language-entries': async () => 7,
}

/** One batch with a command to each machine of the branch, and its number. */
async function addBatch(db: Reader, { merchantId, machines, mark, at }: BranchBase): Promise<number> {
  const made = await sql<{ id: number }>`
    with batch as (
      insert into command_batch (id, merchant_id, type, data, reason, created_at, asked)
      select gen_random_uuid(), ${merchantId}, 'reboot', '{}', ${`${mark} batch`}, ${at}, 2 from generate_series(1, 2)
      returning id, seq
    ), asked as (
      insert into device_command (id, merchant_id, machine_id, type, data, reason, batch_id, created_at, expires_at)
      select gen_random_uuid(), m.merchant_id, m.id, 'reboot', '{}', ${`${mark} batch`}, batch.id, ${at},
        ${at}::timestamptz + interval '10 minutes'
      from batch, machine m where m.id = any(${machines.map(({ id }) => id)}::bigint[])
    ) select seq as id from batch order by seq`.execute(db)
  return made.rows[0]?.id ?? 0
}

/** The list shows operations under twice their id. */
async function addLogRow(db: Reader, { merchantId, mark, at }: BranchBase): Promise<number> {
  const found = await sql<{ id: number }>`
    with person as (
      insert into app_user (merchant_id, account, display_name, kind)
      values (${merchantId}, ${`log${merchantId}`}, ${`${mark} Writer`}, 'ordinary') returning id),
    written as (
      insert into audit_log (at, merchant_id, user_id, ip, action, object_kind, object_id, after, trace_id)
      select ${at}, ${merchantId}, id, '127.0.0.1', 'merchant.test', 'merchant', ${mark},
        ${JSON.stringify({ name: mark })}, 'test' from person returning id, at)
    insert into audit_pending select id, at from written returning log_id as id`.execute(db)
  return (found.rows[0]?.id ?? 0) * 2
}

async function addSystemAlarm(db: Reader, { mark, at }: BranchBase): Promise<number> {
  const found = await sql<{ id: number }>`insert into system_alarm (kind, cause, facts, opened_at, seen_at)
    values ('job_failed', ${mark}, '{}', ${at}, ${at}) returning id`.execute(db)
  return found.rows[0]?.id ?? 0
}

async function addReportRequest(db: Reader, { merchantId, ids, at }: BranchBase): Promise<number> {
  return inserted(
    db,
    sql`insert into report_request
        (merchant_id, user_id, list, query, columns, format, language, requested_at, touched_at)
      values (${merchantId}, ${ids.users}, 'trade.listOrders', '{}', '{orderNo}', 'csv', 'zh', ${at}, ${at})`,
  )
}

/** A draft without numbers: they are sealed by the server alone. */
async function addBankAccount(db: Reader, { merchantId, mark, ids, at }: BranchBase): Promise<number> {
  return inserted(
    db,
    sql`insert into bank_account (merchant_id, holder_kind, holder, bank, bank_city, branch, bank_full_name, short_name,
        store_name, province, city, street, business_type, contact, contact_phone, document_kind, account_tail,
        document_tail, authors, created_at)
      values (${merchantId}, 'company', ${mark}, ${mark}, ${mark}, ${mark}, ${mark}, ${mark}, ${mark}, ${mark}, ${mark},
        ${mark}, ${mark}, ${mark}, '057188886666', 'business_licence', '1234', '5678', array[${ids.users}::bigint],
        ${at})`,
  )
}

async function addTemplates(db: Reader, { merchantId, mark, at }: BranchBase): Promise<number> {
  const id = await inserted(
    db,
    sql`insert into template (merchant_id, name, remark, created_at, updated_at)
      select ${merchantId}, ${mark} || ' template ' || n, ${mark}, ${at}, ${at} from generate_series(1, 2) n`,
  )
  await sql`insert into template_slot (template_id, layer, position, capacity, alarm_threshold)
    select id, 1, 1, 8, 1 from template where merchant_id = ${merchantId}`.execute(db)
  return id
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

/** The unit, its person and the merchant have two entries each; the person sees the machines. */
async function addGrants(db: Reader, { at, merchantId, ids, machines }: BranchBase): Promise<number> {
  const { users: userId = 0, organisations: organisationId = 0 } = ids
  const machineIds = machines.map(({ id }) => id)
  await sql`insert into machine_grant_user (machine_id, user_id)
    select unnest(${machineIds}::bigint[]), ${userId}`.execute(db)
  return inserted(
    db,
    sql`insert into machine_grant_log (at, by_user_id, action, grantee, grantee_id, machine_ids)
      select ${at}, ${userId}, 'grant', grantee, id, ${machineIds}
      from (values ('merchant', ${merchantId}::bigint), ('organisation', ${organisationId}), ('user', ${userId}))
        as to_whom(grantee, id), generate_series(1, 2)`,
  )
}

/** A number as letters, for codes that take nothing else. */
const lettersOf = (n: number): string =>
  [...String(n).padStart(2, '0')].map((digit) => 'abcdefghij'[Number(digit)]).join('')

async function addDoctorRow(db: Reader, { merchantId, mark }: BranchBase): Promise<number> {
  const id = await inserted(
    db,
    sql`insert into app_user (merchant_id, account, display_name, kind)
      values (${merchantId}, ${`${mark.toLowerCase()}-doctor-${merchantId}`}, ${`${mark} doctor`}, 'doctor')`,
  )
  await sql`insert into doctor (user_id, profession, department) values (${id}, 'doctor', ${mark})`.execute(db)
  return id
}

function alarmMessage(...[db, { merchantId, mark, at }]: Parameters<MakeRow>): Promise<number> {
  return inserted(
    db,
    sql`insert into outbox_message (type, channel, merchant_id, receiver, title, body, state, created_at, next_try_at)
      values ('alarm.machine', 'sms', ${merchantId}, '13812345678', ${`${mark} alarm`}, ${mark}, 'held', ${at}, ${at})`,
  )
}
