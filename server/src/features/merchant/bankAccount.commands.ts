import {
  type BankAccountState,
  bankAccountState,
  type draftBankAccount,
  type editBankAccount,
  isCardNumber,
  maskedNumber,
} from '@aisle/contract/merchant/bankAccount'
import type { InputOf } from '@aisle/contract/kernel/endpoint'
import type { Language } from '@aisle/contract/kernel/text'
import { sql } from 'kysely'
import { refusedBy } from '../../kernel/constraint'
import type { CommandContext } from '../../kernel/context'
import { refuseStale } from '../../kernel/edit'
import { send } from '../../kernel/outbox'
import { refusal, refuse } from '../../kernel/refuse'
import { merchantInSight, sightOf } from '../../kernel/scope'
import { word } from '../../kernel/words'
import { type Numbers, sealNumbers, tailOf, unsealNumbers } from './bankAccount.numbers'

type Changed = { id: number; state: BankAccountState }
type Wording = Omit<InputOf<typeof draftBankAccount>, 'merchantId' | keyof Numbers>
type Row = Wording & {
  id: number
  merchantId: number
  state: BankAccountState
  sealed: Buffer | null
  authors: number[]
  requestedBy: number | null
  version: number
}

export async function draft(ctx: CommandContext, input: InputOf<typeof draftBankAccount>): Promise<Changed> {
  const { merchantId, accountNumber, documentNumber, ...wording } = input
  const numbers = { accountNumber, documentNumber }
  refuseMistyped(wording, numbers)
  const made = await refusedBy(
    'bank_account_open',
    sql<{ id: number }>`insert into bank_account (merchant_id, ${columns}, account_tail, document_tail, authors,
        created_at)
      select m.id, ${valuesOf(wording)}, ${tailOf(accountNumber)}, ${tailOf(documentNumber)},
        array[${ctx.actor.userId}::bigint], ${ctx.now()}
      from merchant m where m.id = ${merchantId} and ${merchantInSight(sightOf(ctx.actor), sql`m.id`)}
      returning id`.execute(ctx.tx),
    () => refusal('bankAccount.open'),
  )
  const id = made.rows[0]?.id ?? refuse('request.notFound')
  await sql`update bank_account set sealed = ${sealNumbers(ctx.services.keys, id, numbers)}
    where id = ${id}`.execute(ctx.tx)
  await audit(ctx, { id, merchantId }, null, { ...wording, ...maskedOf(numbers) })
  return { id, state: bankAccountState.initial }
}

export async function edit(ctx: CommandContext, input: InputOf<typeof editBankAccount>): Promise<Changed> {
  const { id, version, accountNumber, documentNumber, ...wording } = input
  const row = await load(ctx, id)
  const before = wordingOf(row)
  refuseStale(ctx, { version }, row, before, wording)
  if (row.state !== 'draft') refuse('bankAccount.state')
  const kept = unsealNumbers(ctx.services.keys, row)
  const numbers = {
    accountNumber: accountNumber ?? kept.accountNumber,
    documentNumber: documentNumber ?? kept.documentNumber,
  }
  refuseMistyped(wording, numbers)
  await sql`update bank_account set (${columns}) = row(${valuesOf(wording)}),
      account_tail = ${tailOf(numbers.accountNumber)}, document_tail = ${tailOf(numbers.documentNumber)},
      sealed = ${sealNumbers(ctx.services.keys, id, numbers)}, authors = ${withAuthor(ctx, row)}::bigint[],
      version = version + 1 where id = ${id}`.execute(ctx.tx)
  await audit(ctx, row, { ...before, ...maskedOf(kept) }, { ...wording, ...maskedOf(numbers) })
  return { id, state: row.state }
}

type Verb = 'submit' | 'withdraw' | 'approve' | 'reject'
type Asked = { id: number; version: number; reason?: string }

export async function move(ctx: CommandContext, { id, version, reason }: Asked, verb: Verb): Promise<Changed> {
  const row = await load(ctx, id)
  refuseStale(ctx, { version }, row, {}, {})
  if (!bankAccountState.can(row.state, verb)) refuse('bankAccount.state')
  const isReview = verb === 'approve' || verb === 'reject'
  if (isReview && row.authors.includes(ctx.actor.userId)) refuse('bankAccount.ownRequest')
  if (verb === 'approve') await replaceInForce(ctx, row)
  const state = bankAccountState.to(verb)
  await sql`update bank_account set state = ${state}, version = version + 1, ${stampOf(ctx, row, verb, reason)}
    where id = ${id}`.execute(ctx.tx)
  await audit(ctx, row, { state: row.state }, reason === undefined ? { state } : { state, reason })
  if (isReview) await tellAsker(ctx, row, state, reason)
  return { id, state }
}

/** Who asked need not look every day. */
async function tellAsker(ctx: CommandContext, row: Row, state: BankAccountState, reason = ''): Promise<void> {
  const found = await sql<{ language: Language; merchant: string; merchantId: number }>`
    select u.language, m.name as merchant, u.merchant_id as "merchantId" from app_user u
    join merchant m on m.id = ${row.merchantId} where u.id = ${row.requestedBy}`.execute(ctx.tx)
  const [asker] = found.rows
  if (!asker) return
  const { language, merchant, merchantId } = asker
  const vars = { merchant, result: word(language, 'merchant', `bankAccountState.${state}`), reason }
  await send(ctx.tx, ctx.services.keys, {
    type: 'bankAccount.reviewed',
    channel: 'web',
    merchantId,
    userId: row.requestedBy,
    receiver: '',
    title: word(language, 'merchant', 'bankAccount.notice.title', vars),
    body: word(language, 'merchant', 'bankAccount.notice.body', vars),
    vars,
    reference: `bankAccount.reviewed/${row.id}`,
    at: ctx.now(),
  })
}

function stampOf(ctx: CommandContext, row: Row, verb: Verb, reason: string | undefined) {
  if (verb === 'submit') {
    return sql`requested_by = ${ctx.actor.userId}, requested_at = ${ctx.now()},
      authors = ${withAuthor(ctx, row)}::bigint[]`
  }
  if (verb === 'withdraw') return sql`ended_at = ${ctx.now()}`
  const ended = verb === 'reject' ? sql`, ended_at = ${ctx.now()}` : sql``
  return sql`reviewed_by = ${ctx.actor.userId}, reviewed_at = ${ctx.now()}, reason = ${reason ?? null} ${ended}`
}

/** The one in force is held first, so that two approvals at once come one after the other. */
async function replaceInForce(ctx: CommandContext, { merchantId }: Row): Promise<void> {
  await sql`update bank_account set state = ${bankAccountState.to('replace')}, ended_at = ${ctx.now()},
      version = version + 1
    where merchant_id = ${merchantId} and state = any(${[...bankAccountState.from('replace')]}::text[])`.execute(ctx.tx)
}

/** The numbers themselves; that somebody looked is kept, what they saw is not. */
export async function reveal(ctx: CommandContext, id: number): Promise<Numbers> {
  const row = await load(ctx, id)
  const numbers = unsealNumbers(ctx.services.keys, row)
  await audit(ctx, row, null, { revealed: maskedNumber(tailOf(numbers.accountNumber)) })
  return numbers
}

/** A person's account is a card, whose digits check themselves. */
function refuseMistyped({ holderKind }: Pick<Wording, 'holderKind'>, { accountNumber }: Numbers): void {
  if (holderKind === 'person' && !isCardNumber(accountNumber)) refuse('bankAccount.checkDigit')
}

const withAuthor = (ctx: CommandContext, { authors }: Row): number[] => [...new Set([...authors, ctx.actor.userId])]

const maskedOf = ({ accountNumber, documentNumber }: Numbers) => ({
  accountNumber: maskedNumber(tailOf(accountNumber)),
  documentNumber: maskedNumber(tailOf(documentNumber)),
})

const columns = sql`holder_kind, holder, document_kind, bank, bank_city, branch, bank_full_name, short_name, store_name,
  business_type, province, city, street, contact, contact_phone, pictures`

const valuesOf = (wording: Wording) => sql`${wording.holderKind}, ${wording.holder}, ${wording.documentKind},
  ${wording.bank}, ${wording.bankCity}, ${wording.branch}, ${wording.bankFullName}, ${wording.shortName},
  ${wording.storeName}, ${wording.businessType}, ${wording.province}, ${wording.city}, ${wording.street},
  ${wording.contact}, ${wording.contactPhone}, ${wording.pictures}::text[]`

async function load(ctx: CommandContext, id: number): Promise<Row> {
  const found = await sql<Row>`
    select id, merchant_id as "merchantId", state, sealed, authors, requested_by as "requestedBy", version,
      holder_kind as "holderKind", holder, document_kind as "documentKind", bank, bank_city as "bankCity", branch,
      bank_full_name as "bankFullName", short_name as "shortName", store_name as "storeName",
      business_type as "businessType", province, city, street, contact, contact_phone as "contactPhone", pictures
    from bank_account b where id = ${id} and ${merchantInSight(sightOf(ctx.actor), sql`b.merchant_id`)}
    for update`.execute(ctx.tx)
  const row = found.rows[0] ?? refuse('request.notFound')
  return { ...row, authors: row.authors.map(Number) }
}

function wordingOf(row: Row): Wording {
  const { id: _i, merchantId: _m, state: _s, sealed: _n, authors: _a, requestedBy: _r, version: _v, ...wording } = row
  return wording
}

const audit = (
  ctx: CommandContext,
  { id, merchantId }: { id: number; merchantId: number },
  before: Record<string, unknown> | null,
  after: Record<string, unknown> | null,
) => ctx.audit({ merchantId, objectKind: 'bankAccount', objectId: id, before, after })
