import * as contract from '@aisle/contract/support/customer'
import { existing } from '../../../kernel/refuse'
import { command, listOf, query, type Route } from '../../../kernel/route'
import * as customer from './customer.commands'
import { findCase } from './customer.detail'
import { listIn, summary } from './customer.reads'
import { addressOf } from './place.reads'

export const routes: Route[] = [
  ...listOf(contract.listCustomerCases, listIn),
  query(contract.summariseCustomerCases, summary),
  query(contract.getCustomerCase, async (ctx, { id }) => existing(await findCase(ctx, id))),
  command(contract.takeCustomerCase, customer.take),
  command(contract.chooseCustomerOrder, customer.chooseOrder),
  command(contract.refundCustomerCase, customer.refund),
  command(contract.answerCustomerCase, customer.answer),
  command(contract.closeCustomerCase, customer.close),
  command(contract.reopenCustomerCase, customer.reopen),
  query(contract.getCustomerAddress, async (ctx, { id }) => existing(await addressOf(ctx, id))),
]
