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
import { sql, type Updateable } from 'kysely'
import type { Tables } from '../../db/tables'
import { refusedBy } from '../../kernel/constraint'
import type { CommandContext } from '../../kernel/context'
import { refuseStale } from '../../kernel/edit'
import { send } from '../../kernel/outbox'
import { refusal, refuse } from '../../kernel/refuse'
import { refuseUnseenMerchant, sightOf } from '../../kernel/scope'
import { word } from '../../kernel/words'
import { accounts } from './bankAccount.reads'
import { type Numbers, sealNumbers, tailOf, unsealNumbers } from './bankAccount.numbers'

type Changed = { id: number; state: BankAccountState }
type Row = Awaited<ReturnType<typeof accounts.load>>

export async function draft(ctx: CommandContext, input: InputOf<typeof draftBankAccount>): Promise<Changed> {
  const { merchantId, accountNumber, documentNumber, ...wording } = input
  const numbers = { accountNumber, documentNumber }
  refuseMistyped(wording, numbers)
  await refuseUnseenMerchant(ctx.tx, sightOf(ctx.actor), merchantId)
  const values = { merchantId, ...wording, ...tailsOf(numbers), authors: [ctx.actor.userId], createdAt: ctx.now() }
  const { id } = await refusedBy(
    'bank_account_open',
    ctx.tx.insertInto('bankAccount').values(values).returning('id').executeTakeFirstOrThrow(),
    () => refusal('bankAccount.open'),
  )
  await save(ctx, id, { sealed: sealNumbers(ctx.services.keys, id, numbers) })
  await accounts.audit(ctx, { id, merchantId }, null, { ...wording, ...maskedOf(numbers) })
  return { id, state: bankAccountState.initial }
}

export async function edit(ctx: CommandContext, input: InputOf<typeof editBankAccount>): Promise<Changed> {
  const { id, version, accountNumber, documentNumber, ...wording } = input
  const row = await accounts.load(ctx, id)
  const before = accounts.typedOf(row)
  refuseStale(ctx, { version }, row, before, wording)
  if (!bankAccountState.is(row.state, 'draft')) refuse('bankAccount.state')
  const kept = unsealNumbers(ctx.services.keys, row)
  const numbers = {
    accountNumber: accountNumber ?? kept.accountNumber,
    documentNumber: documentNumber ?? kept.documentNumber,
  }
  refuseMistyped(wording, numbers)
  const sealed = sealNumbers(ctx.services.keys, id, numbers)
  const authors = withAuthor(ctx, row)
  await save(ctx, id, { ...wording, ...tailsOf(numbers), sealed, authors, version: row.version + 1 })
  await accounts.audit(ctx, row, { ...before, ...maskedOf(kept) }, { ...wording, ...maskedOf(numbers) })
  return { id, state: row.state }
}

const save = (ctx: CommandContext, id: number, change: Updateable<Tables['bankAccount']>) =>
  ctx.tx.updateTable('bankAccount').set(change).where('id', '=', id).execute()

type Verb = 'submit' | 'withdraw' | 'approve' | 'reject'
type Asked = { id: number; version: number; reason?: string }

export async function move(ctx: CommandContext, { id, version, reason }: Asked, verb: Verb): Promise<Changed> {
  const row = await accounts.load(ctx, id)
  refuseStale(ctx, { version }, row, {}, {})
  if (!bankAccountState.can(row.state, verb)) refuse('bankAccount.state')
  const isReview = verb === 'approve' || verb === 'reject'
  if (isReview && row.authors.includes(ctx.actor.userId)) refuse('bankAccount.ownRequest')
  if (verb === 'approve') await replaceInForce(ctx, row)
  const state = bankAccountState.to(verb)
  await sql`update bank_account set state = ${state}, version = version + 1, ${stampOf(ctx, row, verb, reason)}
    where id = ${id}`.execute(ctx.tx)
  await accounts.audit(ctx, row, { state: row.state }, reason === undefined ? { state } : { state, reason })
  if (isReview) await tellAsker(ctx, row, state, reason)
  return { id, state }
}

/** Whoever asked need not look every day. */
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
  const row = await accounts.load(ctx, id)
  const numbers = unsealNumbers(ctx.services.keys, row)
  await accounts.audit(ctx, row, null, { revealed: maskedNumber(tailOf(numbers.accountNumber)) })
  return numbers
}

/** A person's account is a card, whose digits check themselves. */
function refuseMistyped({ holderKind }: { holderKind: string }, { accountNumber }: Numbers): void {
  if (holderKind === 'person' && !isCardNumber(accountNumber)) refuse('bankAccount.checkDigit')
}

const withAuthor = (ctx: CommandContext, { authors }: Row): number[] => [...new Set([...authors, ctx.actor.userId])]

const tailsOf = ({ accountNumber, documentNumber }: Numbers) => ({
  accountTail: tailOf(accountNumber),
  documentTail: tailOf(documentNumber),
})

const maskedOf = ({ accountNumber, documentNumber }: Numbers) => ({
  accountNumber: maskedNumber(tailOf(accountNumber)),
  documentNumber: maskedNumber(tailOf(documentNumber)),
})
