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
import { command, listOf, query, type Route } from '../../kernel/route'
import { draft, edit, move, reveal } from './bankAccount.commands'
import { accounts, findBankAccountDetail } from './bankAccount.reads'

export const routes: Route[] = [
  ...listOf(listBankAccounts, accounts.list),
  query(getBankAccount, findBankAccountDetail),
  command(draftBankAccount, draft),
  command(editBankAccount, edit),
  command(submitBankAccount, (ctx, input) => move(ctx, input, 'submit')),
  command(withdrawBankAccount, (ctx, input) => move(ctx, input, 'withdraw')),
  command(approveBankAccount, (ctx, input) => move(ctx, input, 'approve')),
  command(rejectBankAccount, (ctx, input) => move(ctx, input, 'reject')),
  command(revealBankAccount, (ctx, { id }) => reveal(ctx, id), 'nothing'),
]
