import {
  approveBankAccount,
  draftBankAccount,
  editBankAccount,
  getBankAccount,
  listBankAccounts,
  rejectBankAccount,
  revealBankAccount,
  submitBankAccount,
  withdrawBankAccount,
} from '@aisle/contract/merchant/bankAccount'
import { refuse } from '../../kernel/refuse'
import { command, query, type Route } from '../../kernel/route'
import { sightOf } from '../../kernel/scope'
import { draft, edit, move, reveal } from './bankAccount.commands'
import { findDetail, page } from './bankAccount.reads'

export const routes: Route[] = [
  query(listBankAccounts, (ctx, input) => page(ctx.db, sightOf(ctx.actor), input)),
  query(getBankAccount, async (ctx, { id }) => {
    const reader = { userId: ctx.actor.userId, keys: ctx.services.keys }
    return (await findDetail(ctx.db, sightOf(ctx.actor), id, reader)) ?? refuse('request.notFound')
  }),
  command(draftBankAccount, draft),
  command(editBankAccount, edit),
  command(submitBankAccount, (ctx, input) => move(ctx, input, 'submit')),
  command(withdrawBankAccount, (ctx, input) => move(ctx, input, 'withdraw')),
  command(approveBankAccount, (ctx, input) => move(ctx, input, 'approve')),
  command(rejectBankAccount, (ctx, input) => move(ctx, input, 'reject')),
  command(revealBankAccount, (ctx, { id }) => reveal(ctx, id), 'nothing'),
]
