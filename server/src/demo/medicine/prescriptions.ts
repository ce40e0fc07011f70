import { sql } from 'kysely'
import { rows } from '../../db/rows'
import { type Decided, decide, planned } from './prescriptionPlan'
import type { AuthKeys, Tx } from '../../kernel/context'
import { heldAt, type MachineHeld } from '../life/held'
import { ingredientPairs, medicineFacts } from '../data/prescriptions'

/**
 * What of medicines prescriptions need, and prescriptions that live on: drafts, a queue for the pharmacist, repeats,
 * what came back; and repeats that customers of the machines hold. Comes after the staff and after the shelves are
 * filled.
 */
export async function seedPrescriptions(
  tx: Tx,
  about: { keys: AuthKeys; now: Date; since: Date; doctorId: number },
  held: MachineHeld,
): Promise<void> {
  await seedMedicines(tx)
  await seedBatches(tx, about.now)
  await seedDoctors(tx, about.now)
  const drafts = await planned(tx, about)
  const decided = drafts.map((draft) => decide(draft, about.keys))
  await insert(tx, decided)
  for (const { machineCode, code, productCode } of decided) {
    if (machineCode) heldAt(held, machineCode).prescriptions.push({ code, product: productCode })
  }
}

async function seedMedicines(tx: Tx): Promise<void> {
  const facts = medicineFacts.map((each) => ({
    ...each,
    ingredients: each.ingredients.join(),
    notFor: (each.notFor ?? []).join(),
    maxDaily: each.maxDaily ?? null,
    maxDays: each.maxDays ?? null,
    minAge: each.minAge ?? null,
  }))
  await sql`insert into medicine (product_id, approval_number, dosage_form, ingredients, dose_unit, units_per_pack,
      max_daily_units, max_days, min_age, not_for)
    select p.id, '国药准字' || case when p.id % 3 = 0 then 'Z' else 'H' end || (20000000 + p.id * 7919 % 2400000),
      coalesce(substring(p.name from '(缓释胶囊|肠溶胶囊|软胶囊|胶囊|缓释片|泡腾片|片|颗粒|口服液|糖浆|乳膏|软膏|滴眼液|喷雾|贴膏|丸|散)'), ''),
      case when f.ingredients is null then '{}' else string_to_array(f.ingredients, ',') end,
      coalesce(f.dose_unit, ''), coalesce(substring(p.specification from '([0-9]+)[粒片袋支丸贴]')::int, 1),
      f.max_daily, f.max_days, f.min_age,
      case when coalesce(f.not_for, '') = '' then '{}' else string_to_array(f.not_for, ',') end
    from product p left join ${rows('f', facts, {
      name: 'text',
      ingredients: 'text',
      doseUnit: 'text',
      maxDaily: 'int',
      maxDays: 'int',
      minAge: 'int',
      notFor: 'text',
    })} on f.name = p.name where p.kind = 'medicine'`.execute(tx)
  const pairs = ingredientPairs.map(([first, second]) => ({ first, second }))
  await sql`insert into ingredient_pair select * from ${rows('p', pairs, { first: 'text', second: 'text' })}`.execute(
    tx,
  )
}

/** Good for two years from when they were made; of what is gone already some were called back. */
async function seedBatches(tx: Tx, now: Date): Promise<void> {
  await sql`insert into medicine_batch (product_id, number, produced_on, expires_on, changed_at)
    select m.product_id, m.batch, to_date(left(m.batch, 6), 'YYMMDD'), to_date(left(m.batch, 6), 'YYMMDD') + 730, ${now}
    from stock_move m join product p on p.id = m.product_id and p.kind = 'medicine'
    where m.batch is not null group by 1, 2`.execute(tx)
  await sql`update medicine_batch b set state = case n when 3 then 'locked' else 'recalled' end,
      reason = case n when 3 then '装量差异复检' else '生产企业主动召回' end
    from (select id, row_number() over (order by id) as n from medicine_batch b where not exists (
      select from batch_level l where l.product_id = b.product_id and l.batch = b.number and l.quantity > 0)) gone
    where gone.id = b.id and gone.n <= 3`.execute(tx)
}

/** Regions without doctors of their own have three, and a pharmacist. */
async function seedDoctors(tx: Tx, now: Date): Promise<void> {
  await sql`with region as (
      select m.id, m.code, row_number() over (order by m.id) as r from merchant m
      where cardinality(m.path) = 2 and not exists (
        select from app_user u join doctor d on d.user_id = u.id where u.merchant_id = m.id)
    ), person as (
      select region.*, n, case when n = 4 then 'pharmacist' else 'doctor' end as profession,
        case when n = 4 then 'ph' else 'dr' end as mark,
        (array['何静怡', '罗文博', '谢安然', '唐书仪', '韩知远', '曹语嫣', '许立诚', '邓若溪', '彭景和', '蒋素心', '余明哲', '叶清扬'])
          [1 + (r * 4 + n) % 12] as name,
        (array['内科', '心内科', '全科', '药剂科'])[n] as department
      from region, generate_series(1, 4) n
    ), made as (
      insert into app_user (merchant_id, account, display_name, kind, phone, created_at)
      select id, lower(code) || mark || n, name, 'doctor',
        '1370000' || lpad((r * 10 + n)::text, 4, '0'), ${now}::timestamptz - interval '400 days' from person
      returning id, merchant_id, account
    ), working as (
      insert into doctor (user_id, profession, hospital_id, department)
      select made.id, person.profession,
        (select h.id from hospital h where h.merchant_id = made.merchant_id order by h.id limit 1), person.department
      from made join person on person.id = made.merchant_id
        and made.account = lower(person.code) || person.mark || person.n
    )
    insert into licence (merchant_id, holder_kind, kind, number, holder, user_id, issued_by, valid_from, valid_to,
      created_at)
    select made.merchant_id, 'doctor', person.profession || '_practice', '33' || lpad(made.id::text, 13, '0'),
      person.name, made.id, '市卫生健康委员会', ${now}::timestamptz::date - 900, ${now}::timestamptz::date + 700,
      ${now}::timestamptz - interval '400 days'
    from made join person on person.id = made.merchant_id
      and made.account = lower(person.code) || person.mark || person.n
  `.execute(tx)
}

/** Written as drafts, with their items, and then moved: what has left its draft takes no items. */
async function insert(tx: Tx, all: readonly Decided[]): Promise<void> {
  await sql`insert into prescription (code, merchant_id, doctor_id, hospital_id, department, patient_sealed,
      patient_masked, patient_name_hash, patient_id_masked, patient_id_hash, sex, birth_year, patient_facts, condition,
      advice, uses, interval_days, created_at, expires_at)
    select code, merchant_id, doctor_id, hospital_id, department, sealed, masked, name_hash, id_masked, id_hash, sex,
      birth_year, case when fact is null then '{}' else array[fact] end, condition, advice, uses, interval_days,
      created_at, expires_at
    from ${rows('p', all, {
      code: 'text',
      merchantId: 'bigint',
      doctorId: 'bigint',
      hospitalId: 'bigint',
      department: 'text',
      sealed: 'bytea',
      masked: 'text',
      nameHash: 'bytea',
      idMasked: 'text',
      idHash: 'bytea',
      sex: 'text',
      birthYear: 'int',
      fact: 'text',
      condition: 'text',
      advice: 'text',
      uses: 'int',
      intervalDays: 'int',
      createdAt: 'timestamptz',
      expiresAt: 'timestamptz',
    })} order by created_at`.execute(tx)
  await insertLines(tx, all)
  await move(tx, all)
}

async function insertLines(tx: Tx, all: readonly Decided[]): Promise<void> {
  const lines = all.flatMap(({ code, lines: own }) => own.map((line, index) => ({ code, index, ...line })))
  await sql`insert into prescription_item (prescription_id, index, product_id, quantity, dose, times_a_day, days, usage,
      allowed, dispensed)
    select p.id, l.index, l.product_id, l.quantity, l.dose, l.times_a_day, l.days, l.usage, l.allowed, l.dispensed
    from ${rows('l', lines, {
      code: 'text',
      index: 'smallint',
      productId: 'bigint',
      quantity: 'int',
      dose: 'int',
      timesADay: 'int',
      days: 'int',
      usage: 'text',
      allowed: 'int',
      dispensed: 'int',
    })} join prescription p on p.code = l.code`.execute(tx)
}

/** To where each is now, with the story of how it came there. */
async function move(tx: Tx, all: readonly Decided[]): Promise<void> {
  await sql`update prescription p set state = d.state, submitted_at = d.submitted_at, reviewed_by = d.reviewer_id,
      reviewed_at = d.reviewed_at, reviewed_hash = d.reviewed_hash, uses_opened = d.uses_opened,
      last_dispensed_at = d.dispensed_at
    from ${rows('d', all, {
      code: 'text',
      state: 'text',
      submittedAt: 'timestamptz',
      reviewerId: 'bigint',
      reviewedAt: 'timestamptz',
      reviewedHash: 'bytea',
      usesOpened: 'int',
      dispensedAt: 'timestamptz',
    })} where p.code = d.code`.execute(tx)
  const events = all.flatMap(({ code, events: own }) => own.map((event) => ({ code, ...event })))
  await sql`insert into prescription_event (prescription_id, verb, at, user_id, reason, content_hash, signature,
      licence_number, warnings)
    select p.id, e.verb, e.at, e.user_id, e.reason, e.content_hash, e.signature, e.licence_number, e.warnings::jsonb
    from ${rows('e', events, {
      code: 'text',
      verb: 'text',
      at: 'timestamptz',
      userId: 'bigint',
      reason: 'text',
      contentHash: 'bytea',
      signature: 'bytea',
      licenceNumber: 'text',
      warnings: 'text',
    })} join prescription p on p.code = e.code order by e.at`.execute(tx)
}
